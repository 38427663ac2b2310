"""The array of integers that is the state, and what one step may do to it."""
