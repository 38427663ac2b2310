"""Text to tree: lines, tokens, one grammar, frozen nodes with their spans."""
