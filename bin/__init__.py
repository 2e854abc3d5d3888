"""The console commands, one module each: parse options, call the library, report.

    cli         the group `crosscut`; loads a subcommand when it is called
    options     options that several subcommands share
    gtp, perft, bench, warm     the subcommands

May import games and protocol; nothing imports bin.
"""
