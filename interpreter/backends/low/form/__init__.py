"""The low form: its nodes, and what is well formed."""
