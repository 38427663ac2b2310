"""Written code for whole games at random."""
