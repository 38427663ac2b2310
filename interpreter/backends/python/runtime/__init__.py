"""What written code calls."""
