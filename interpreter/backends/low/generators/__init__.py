"""Random numbers in low code: the generator of the store, that of bots, and Python's, with their seeds."""
