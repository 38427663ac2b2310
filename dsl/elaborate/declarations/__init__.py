"""What is declared becomes code: values, routines, checks, purses, plans."""
