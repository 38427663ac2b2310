"""What a website tells of a game, gathered from its rules, cards, data and rulings."""
