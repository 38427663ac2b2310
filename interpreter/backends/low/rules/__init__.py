"""What changes the store: statements, instructions, and the questions between them."""
