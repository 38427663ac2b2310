"""Hand-written Python of the classics, to measure the machine against; one self-contained module a game.

Each has `playout(rng)`: one game of uniformly random legal moves, giving the number of decisions and the returns of
all seats. It is written as one would write the game for oneself: the position in plain lists, legal moves read from
the position, a win looked for around the last move; no packed bits, nothing kept over from one game to the next.
`rulewright bench` loads these files by their path.
"""
