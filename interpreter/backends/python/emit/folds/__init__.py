"""Folds and their loops: over domains, rows of constant tables, and filtered sets."""
