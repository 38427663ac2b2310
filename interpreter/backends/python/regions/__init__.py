"""Written code from one question to the next."""
