"""People at the keyboard."""
