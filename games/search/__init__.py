"""The players.

    settings    what changes how a player plays
    clock       how long a turn may take
    player      what a player is; the random one, and the way to the search
    uct         the search player: chunks of playouts until it must stop
    some        the same among some of the legal turns only
    tree        its tree, compiled
    randomgames its playouts, compiled
    rates       how fast both are; the signature

`settings`, `clock` and `player` import neither numpy nor numba.
"""
