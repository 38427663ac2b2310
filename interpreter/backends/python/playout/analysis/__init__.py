"""Analysis of whole games: their places as a graph, and rules specialised for known values."""
