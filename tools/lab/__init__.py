"""The study of what overlays do to the balance of a game: what is asked, what may be said of it, and when it ends."""
