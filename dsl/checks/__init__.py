"""What can be said only when the whole program is known."""
