"""What can be wrong with a ruleset, and how it is reported."""
