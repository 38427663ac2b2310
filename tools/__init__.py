"""What people run: the command line and its commands. Knows no game."""
