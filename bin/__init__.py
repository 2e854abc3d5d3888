"""The console commands, one module each: parse options, call the library, report.

    cli         the group `crosscut`; loads a subcommand when it is called
    options     options that several subcommands share
    gtp, perft, bench, warm, match    the subcommands
    plans, words, folders, live       the parts of `crosscut match`: its options, their
                form, its subcommands, how a match is shown

May import games and protocol; nothing imports bin.
"""
