"""The options of a question, and the trials that find out whether they can be completed."""
