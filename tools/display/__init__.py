"""A position as text."""
