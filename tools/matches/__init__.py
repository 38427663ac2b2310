"""Matches between bots: how strong levels of play are in a game, and which settings make a search stronger."""
