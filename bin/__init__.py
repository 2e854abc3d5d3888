"""The console commands, one module each: parse options, call the library, report.

    cli         the group `crosscut`; loads a subcommand when it is called
    options     options that several subcommands share
    signals     what ends the process from outside
    gtp, perft, bench, warm, match    the subcommands
    plans, words, folders, live, outputs
                the parts of `crosscut match`: its options, their form, its subcommands,
                how a match is shown, its logs and files

May import games and protocol; nothing imports bin.
"""

import signal
import sys

# While a command is still being imported, Ctrl-C ends it without a word; what it means
# afterwards, `bin.cli.main` and the subcommands say. Whoever else imports this package
# keeps what he has.
is_command = sys.argv[0] == "-m" or "crosscut" in sys.argv[0][-len("crosscut.exe") :]
if is_command and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
