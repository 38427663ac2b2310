"""What every command stands on: finding, loading and writing rulesets, the bare terminal."""
