"""Folds and the loops that they are: over domains, rows of constant tables, and members that a condition chooses."""
