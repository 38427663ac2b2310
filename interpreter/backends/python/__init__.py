"""Python source for a whole ruleset, compiled once and kept on disk: the back end that games are played with."""
