"""The low form: its nodes, what is well formed, and what each node does."""
