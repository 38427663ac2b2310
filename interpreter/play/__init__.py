"""What a driver does: see, answer, ask why."""
