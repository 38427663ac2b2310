"""How well messages lead to the mistake: one-word mistakes planted in the games, and what the checker says of each."""
