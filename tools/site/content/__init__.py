"""The content of a website of a game, gathered from its rules, cards, data and rulings."""
