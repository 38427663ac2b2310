"""Checks that need the whole program."""
