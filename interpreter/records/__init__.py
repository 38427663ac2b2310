"""Games that come from a file: saves, replays, positions, rulings."""
