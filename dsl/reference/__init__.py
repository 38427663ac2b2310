"""The generated parts of the language reference in `docs/reference`: grammar, words, functions, bounds, codes.

`python -m dsl.reference.generate` writes them between the markers of the pages, from the tables that the passes read.
What stands outside of the markers is written by hand.
"""
