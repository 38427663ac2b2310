"""Choices of bots: what an option leads to, what a position is worth to each seat, and the search of a tree."""
