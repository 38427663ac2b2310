"""Random playouts: whole games, each played by one generated function.

No other room of the interpreter imports it; `bench` measures with it. It goes when a native target replaces it.
"""
