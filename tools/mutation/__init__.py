"""Mutation testing: small wrong changes of a ruleset, what each of them can reach, and what notices it."""
