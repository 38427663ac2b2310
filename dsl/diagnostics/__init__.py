"""Diagnostics: all that can be wrong with a ruleset, and its report."""
