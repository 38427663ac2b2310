"""What a lowering holds: kinds of values, memory, and the function that is being written."""
