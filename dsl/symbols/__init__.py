"""What is declared, and where it lies in the store."""
