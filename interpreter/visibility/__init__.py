"""Visibility of the state for each seat."""
