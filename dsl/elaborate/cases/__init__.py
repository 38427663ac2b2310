"""Positions and rulings: what is given, the steps, and what is expected after them."""
