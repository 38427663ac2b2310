"""`doc`: a website of a game, made from its rules, cards, data and rulings.

`content` reads a set of rules into a `Site`, the modules of `pages` write it as HTML in each language, and `output`
puts the files in their place. The pages need no server and no script.
"""
