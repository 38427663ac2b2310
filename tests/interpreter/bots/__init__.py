"""Choices of bots."""
