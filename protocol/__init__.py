"""The command loop and its parser. spec/protocol.md says what it promises.

A line goes through these modules, in this order:

    inbox       bytes to lines, read ahead; when a search must stop
    grammar     a line to a Command; the words commands are made of
    commands    Command to handler, arguments to Python values
    session     what the handlers read and change
    response    the handler's text to `=` or `?` lines

`loop` ties them together and does all the writing; `errors` is why a command was
refused. May import games, not bin.
"""
