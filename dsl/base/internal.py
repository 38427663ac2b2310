"""A failure of this program itself in words: its class, the place in the code, what Python says of it."""

from __future__ import annotations

from pathlib import Path


def failure_text(fault: BaseException) -> str:
    """A failure in one line to be told and reported, as `ValueError at frames.py:53: zip() argument 2 is shorter than
    argument 1`."""
    place, trace = "an unknown place", fault.__traceback__
    while trace is not None:
        place = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{type(fault).__name__} at {place}: {fault}"
