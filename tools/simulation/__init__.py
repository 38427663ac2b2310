"""Many games, and what came of them."""
