"""The passes in their order, from a folder to a program."""
