"""The players.

    settings    what changes how a player plays
    clock       how long a turn may take
    player      what a player is; the random one, and the way to the search
    uct         the search player: chunks of playouts until it must stop
    tree        its tree and playouts, compiled

`settings`, `clock` and `player` import neither numpy nor numba.
"""
