"""The meaning of each node: the reference that every back end must agree with."""
