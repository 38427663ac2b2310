"""What every command is built on: finding, loading and writing rulesets, the bare terminal."""
