"""Scopes that last while frames run: timed lines, the scopes of orders, and the end of a frame from inside."""
