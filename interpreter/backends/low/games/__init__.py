"""Whole random games as one function of low code, for the games that begin with one store."""
