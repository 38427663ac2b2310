"""Code that runs from one question to the next."""
