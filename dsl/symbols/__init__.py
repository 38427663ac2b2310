"""The declared symbols, and where they are in the store."""
