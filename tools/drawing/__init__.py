"""Texts in the cells of a terminal: a canvas, lines and tables, and what stands beside what. It knows no game."""
