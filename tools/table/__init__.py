"""A game at a table, however people see it: who may answer, what can be taken back, what is told, and why not."""
