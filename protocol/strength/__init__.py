"""Who is stronger, by how much, and how sure that is.

    counts      what two players got from each other: games or pairs
    elo         one number from counts: Elo, normalized Elo, intervals
    sprt        the sequential test: two hypotheses, when to stop, which to believe
    likelihood  what elo and sprt rest on: how well a hypothesis fits counts
    ratings     many players at once, with the advantage of moving first
    rates       shares of all games, such as those the first player won

Everything here is a function of the results of finished games. It always has a
value and is never NaN: infinite where results are one-sided, None where there are
no games. `protocol.results` puts it into words.
"""
