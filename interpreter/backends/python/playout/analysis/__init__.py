"""What is known of a whole game beforehand: its places as a graph, and rules made special for known values."""
