"""The base of every command: finding, loading and writing rulesets, the bare terminal."""
