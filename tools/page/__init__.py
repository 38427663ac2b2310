"""A game as a page for a browser, without a server: its module, its plan as JSON, and the scripts that read both."""
