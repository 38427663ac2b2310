"""What every target knows of a program."""
