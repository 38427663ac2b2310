"""Text to checked program: parse, resolve, check, overlay, lower. Knows no game and does not play."""
