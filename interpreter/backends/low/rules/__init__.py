"""Rules that change the store: statements, instructions, and the questions between them."""
