"""Between what numbers a value lies, and what certainly and perhaps belongs to a set, while an answer is not known."""
