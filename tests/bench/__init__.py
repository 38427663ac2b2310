"""Hand-written Python of the classics, to measure the machine against; one self-contained module a game.

Each has `playout(rng)`: one game of uniformly random legal moves, giving the number of decisions and the returns of
all seats. It is plain code for one game: the position in lists, legal moves read from the position, a win found around
the last move; no packed bits, nothing shared between games.
`rulewright bench` loads these files by their path.
"""
