"""Lines of bodies become statements and instructions."""
