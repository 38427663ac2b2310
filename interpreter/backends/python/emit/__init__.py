"""Nodes to Python text."""
