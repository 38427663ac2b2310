"""Long answers, sets and amounts: which member may come next, and what taking one does."""
