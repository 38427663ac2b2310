"""Texts for players: where one is looked up, which are missing, and what may stand in braces."""
