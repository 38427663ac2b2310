"""Questions of a table, for tests that know that one is asked."""

from __future__ import annotations

from interpreter import Decision
from tools.table.table import Table


def asked(table: Table, seat: int = 0) -> Decision:
    """The question that this seat may answer now; without a seat, the one that is asked first."""
    decision = table.asked(seat) if seat else table.state.decision
    assert decision is not None, "nobody is asked" if not seat else f"seat {seat} is not asked"
    return decision
