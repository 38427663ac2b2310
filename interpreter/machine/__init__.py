"""Runs a program until a question, a chance event or the end."""
