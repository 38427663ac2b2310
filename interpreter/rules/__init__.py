"""A loaded ruleset: what never changes in a game."""
