"""Whole games at random, each written as one function.

No other room of the interpreter imports it; `bench` measures with it. It goes when a native target replaces it.
"""
