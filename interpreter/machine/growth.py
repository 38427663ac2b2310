"""Bounds and weights by which the tree of a searching bot grows, here and in low code."""

from __future__ import annotations

from math import log, sqrt

from interpreter.machine.shares import WHOLE

MOST_NODES = 20_000  # of a tree; then it grows no more
DEEPEST = 200  # answers of one iteration in the tree, forced ones among them
KNOWN = 4096  # so many visits are told apart
LOG_BITS = 12
LOGS = tuple(round(sqrt(log(n + 1)) * (1 << LOG_BITS)) for n in range(KNOWN))
ROOTS = tuple(round(WHOLE / sqrt(max(n, 1))) for n in range(KNOWN))
