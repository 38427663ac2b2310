"""The layout of an open purse in scratch memory: a head, a row for each source that takes part, then the ways found.

The same as `interpreter.semantics.purses.OpenPurse`. Long numbers stand at even offsets. Behind the last row stands an
empty one, so that sums over the rows from one on end there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.make import add, scale
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local

MOST_SOURCES = 64  # that take part in one payment
MOST_WORTH = 1 << 20  # of a piece, so that sums do not wrap around

# the head
SIZE, CHANGE, WAYS, FOUND, LIMIT, NEED, OVER, AMOUNT, WAY_WORDS, KEYS, REFILLED, BEST = (
    0,
    1,
    5,
    6,
    7,
    8,
    10,
    11,
    12,
    13,
    14,
    15,
)
"""Sources; the change zone, as an end; where the ways begin, how many there are, and how many are looked for; what must
be given, a long number; the overpayment; the amount; the words of a way, and of the keys in it; the pieces that can
come back; the most that was gained."""
CHANGE_SAVED, HEAD = 16, 18

# an end: what sort it is, its address (0: endless), the code of a piece, the pieces that are there
SORT, AT, CODE, HELD = range(4)
NOWHERE, ENDLESS, COUNT, SLOT = range(4)  # sorts of ends

# a row
SOURCE, TARGET = 0, 4  # ends
WORTH, FIRST, TAKES_CHANGE, REFILLS, NEVER_BACK, COUNTER, GROUP, MOST = range(8, 16)
RANK, START, MOVED, ORDER, SPENDS, OPENS, RETURNS, STOCK, LEFT = range(16, 25)
"""Its rank; pieces given beforehand, and moved by the search; the row whose worth is the greatest but so many; what may
be spent and whether change may come in, as the search sees it; whether change may come into a later one; of gains the
row that says what is left at the target, and what is left there."""
SAVED = 25  # the words at source, target and counter before a payment is tried
WORTH_SUM, PIECES, LEVEL = 28, 30, 32  # long numbers: see `change`
ROW = 34

# a way: how many pieces come back in all, then those spent and those back of each source, then the keys, long numbers
BACK_SUM, COUNTS = 0, 2


class PurseAt(NamedTuple):
    """An open purse at an address; the address may be read more than once."""

    at: Expr

    def word(self, offset: int) -> Expr:
        return low.Load(self.at, offset)

    def row(self, lo: Lowering, n: Expr) -> Expr:
        """The address of a row."""
        return lo.w.let(add(add(self.at, scale(n, ROW)), HEAD), "row")

    def each(self, lo: Lowering, work: Callable[[Expr], None]) -> None:
        """Do `work` for the address of each row, in order."""
        first = self.row(lo, low.Num(0))
        lo.w.upto(low.Num(0), self.word(SIZE), lambda n: work(lo.w.let(add(first, scale(n, ROW)), "row")))

    def spent(self, way: Expr, n: Expr) -> Expr:
        """The address of the number of pieces that a way spends of a source."""
        return add(add(way, n), COUNTS)

    def back(self, way: Expr, n: Expr) -> Expr:
        """The address of the number of pieces that come back to a source."""
        return add(add(add(way, n), self.word(SIZE)), COUNTS)

    def keys(self, way: Expr) -> Expr:
        """The address of the keys of a way."""
        return add(add(way, scale(self.word(SIZE), 2)), COUNTS)


OPEN = PurseAt(Local("purse"))  # what functions of this room get as their first parameter
