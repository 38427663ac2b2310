"""Whole games at random, each as one function: the room that many random games in a row are played with.

Nothing of the product imports it but measurements. It goes when another target than Python plays as fast or faster.
"""
