"""The wire to other programs: JSON lines, questions as data, bots as child processes."""
