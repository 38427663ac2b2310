"""The base of a lowering: kinds of values, memory, and the function that is being written."""
