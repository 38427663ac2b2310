"""Things that nobody can tell apart: when they are, and what a choice does with them."""
