"""Programs for people: the command line and its commands. Knows no game."""
