"""Figures of a game for its rulebook: length, width, seats, leads, from games that bots play."""
