"""What overlays do to the balance of a game: games of bots in pairs, what they show, and when that is enough."""
