"""Text to checked program: parse, overlay, collect, elaborate, check, assemble. Knows no game and does not play."""
