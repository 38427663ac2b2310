"""Many games by bots, and their results."""
