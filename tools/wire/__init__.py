"""What other programs are told of a game, and how: JSON lines, questions as data, bots as child processes."""
