"""The runtime that generated code calls."""
