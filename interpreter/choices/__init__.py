"""The options of a question, and whether they can be completed."""
