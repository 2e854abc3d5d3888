"""The command loop and its parser. spec/protocol.md says what it promises.

A line goes through these modules, in this order:

    inbox       bytes to lines, read ahead; when a search must stop
    grammar     a line to a Command; the words commands are made of
    commands    Command to handler, arguments to Python values
    session     what the handlers read and change; `steps` is the one for clicks
    response    the handler's text to `=` or `?` lines

`loop` ties them together and does all the writing; `errors` is why a command was
refused.

The other end of such a conversation, and matches (spec/matches.md):

    engines     words to what a match knows of an engine
    controls    time controls, as text and as clocks
    processes   engines as processes that do not outlive us
    channel     one running engine: commands, answers, limits
    remarks     what it writes to standard error
    answers     whether what it wrote is an answer
    faults      what it may do instead of answering
    roster      the engines that a slot keeps running
    seats       one side of a game
    watchers    who follows a game without playing: observers, the referee
    referee     one game: a job in, a record out
    endings     how games end
    records     checking a record
    workers     many games at once
    schedule    who plays whom
    openings    how games begin
    plan        what a match is
    journal     its folder
    match       its course
    standings   what its games add up to
    reports     and in words
    exports     and for other programs
    results     two players' results in words
    strength    the statistics
    checks      do the engines run, is the journal right
    compliance  does an engine keep to the protocol: steps for an `examination`

May import games, not bin.
"""
