"""The compiler of kernel functions: what it makes gives what Python gives, and what it refuses it says."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.make import add
from interpreter.backends.low.form.nodes import Expr, Num
from interpreter.backends.low.kernel.context import Host
from interpreter.backends.low.kernel.functions import write
from interpreter.backends.low.kernel.texts import NotInKernel
from interpreter.backends.low.kernel.values import InGlobals, Sort, Typed
from interpreter.backends.low.whole.lowering import TABLES, finished
from interpreter.backends.printed.host import PrintedInstance
from interpreter.choices.generator import Generator
from interpreter.choices.twister import fraction
from interpreter.core.kernel import Bits, Row, insertion_sort, kernel, room, sort
from tests.interpreter.programs import fair
from tests.printed import printed

NUMBERS = st.integers(-(2**31), 2**31 - 1)
PRIMES = (2, 3, 5, 7, 11)
CELLS = 8  # of the row that functions get


def native(function: Callable[..., Any], **known: Any) -> tuple[PrintedInstance, int]:
    """A machine with the function as `compiled`, and the address of a row."""
    lo = Lowering(fair(), TABLES)
    row = lo.memory.room(CELLS)
    write(lo, function, "compiled", **known)
    return printed(finished(lo).module), row


@kernel
def arithmetic(a: int, b: int) -> int:
    found = a * 3 - b + (a & b) - (a | 7) + (a ^ b)
    found += -a if a < b else ~b
    return found


@kernel
def divided(a: int, b: int) -> int:
    return a // b * 1000 + a % b + 100 // b


@kernel
def shifted(a: int, n: int) -> int:
    return (a >> n) + (a << 3)


@kernel
def compared(a: int, b: int) -> int:
    found = 0
    if a < b and not a == 3 or b >= 100:
        found += 1
    elif a > b:
        found += 2
    else:
        found += 4
    if -5 <= a < b <= 5:
        found += 8
    return found + 16 * (a != b) + 32 * int(a <= b) + 64 * bool(a)


@kernel
def least(a: int, b: int) -> int:
    return min(a, b) * 2 + max(a, 7)


@kernel
def counted(a: int, b: int) -> int:
    found = 0
    for n in range(a % 7):
        if n == 3:
            continue
        for m in range(b % 5, -3, -2):
            if m * n > 6:
                break
            found = found * 3 + n - m
    return found


@kernel
def until(a: int, b: int) -> int:
    found = n = a % 50
    while True:
        n -= 1
        if n < 0:
            break
        if n % 3 == b % 3:
            continue
        while found % 5:
            found += 1
        found += n
    return found


@kernel
def by_tables(a: int, b: int) -> int:
    found = len(PRIMES)
    for prime in PRIMES:
        found = found * prime + a % prime
    return found + PRIMES[b % len(PRIMES)]


@kernel
def swapped(a: int, b: int) -> int:
    a, b = b, a + 1
    return helped(a - b, b) * 2


@kernel
def helped(n: int, m: int) -> int:
    return n if n < 2 or m < 0 else helped(n // 2, m - 1) + helped(n // 3, m - 1)


@kernel
def with_memory(a: int, b: int) -> int:
    first, second = room(6), room(4)
    first[b % 5 + 1] = a
    for n in range(4):
        second[n] = first[n + 1] + first[n] * 2 - n
    sort(second, 0, 4)
    first[5], second[0] = second[0], first[5]
    return first[5] * 3 + second[3] - second[0]


@pytest.mark.parametrize(
    "function",
    [arithmetic, compared, least, counted, until, by_tables, swapped, with_memory],
    ids=lambda f: f.__name__,
)
def test_what_is_compiled_gives_what_python_gives(function: Callable[[int, int], int]) -> None:
    runner, _ = native(function)

    @given(st.integers(-1000, 1000) | st.integers(-5, 5), st.integers(-1000, 1000) | st.integers(-5, 5))
    def same(a: int, b: int) -> None:
        assert runner.call("compiled", a, b) == function(a, b)

    same()


@given(NUMBERS, st.integers(1, 1000))
def test_division_rounds_down(a: int, b: int) -> None:
    runner, _ = DIVIDED
    assert runner.call("compiled", a, b) == divided(a, b)


DIVIDED = native(divided)


def test_shifts_keep_the_sign() -> None:
    runner, _ = native(shifted)
    assert [runner.call("compiled", a, 2) for a in (-9, 9, 0)] == [shifted(a, 2) for a in (-9, 9, 0)]


@kernel
def without_sign(a: Bits, b: Bits) -> int:
    mixed: Bits = (a * 6364136223846793005 + b) & (1 << 64) - 1
    return (mixed >> 60) * 1000 + mixed % 7 * 100 + (a < b) * 8 + (a >= b) * 4 + (a > b) * 2 + (a <= b)


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_bits_have_no_sign(a: int, b: int) -> None:
    runner, _ = UNSIGNED
    assert runner.call("compiled", *(x - (x >> 63 << 64) for x in (a, b))) == without_sign(a, b)


UNSIGNED = native(without_sign)


@kernel
def read_first(row: Row, n: int) -> int:
    """Python reads the word before the call that changes it."""
    return row[n] + changed(row, n) * row[n] if n and changed(row, n) else row[n]


@kernel
def changed(row: Row, n: int) -> int:
    row[n] = row[n] * 2 + 1
    return row[n]


def test_words_are_read_before_a_later_call_changes_them() -> None:
    runner, row = native(read_first)
    for n in range(CELLS):
        cells = list(range(1, CELLS + 1))
        runner.memory[row : row + CELLS] = cells
        assert runner.call("compiled", row, n) == read_first(cells, n)
        assert list(runner.memory[row : row + CELLS]) == cells


@given(st.lists(NUMBERS, min_size=CELLS, max_size=CELLS), st.integers(0, CELLS), st.integers(0, CELLS))
def test_a_part_of_a_row_is_sorted(items: list[int], start: int, stop: int) -> None:
    runner, row = SORTED
    runner.memory[row : row + CELLS] = items
    runner.call("compiled", row, start, stop)
    expected = items[:]
    sort(expected, start, stop)
    assert list(runner.memory[row : row + CELLS]) == expected
    insertion_sort(items, start, stop)
    assert items == expected


SORTED = native(insertion_sort)


def test_a_record_may_lie_in_globals() -> None:
    lo = Lowering(fair(), TABLES)
    write(lo, Generator.below, "compiled", self=InGlobals(Generator, ("chance",)))
    runner, chance = printed(finished(lo, ("chance",)).module), Generator(0)
    chance.state = 0
    assert [runner.call("compiled", n) for n in range(1, 50)] == [chance.below(n) for n in range(1, 50)]


@kernel
def asking(asked: Any, n: int) -> int:
    return asked.larger(n) + asked.size if n else 0


class Asked(Host):
    size = 100

    def larger(self, n: Expr) -> Expr:
        return add(n, 5)


def test_a_host_writes_what_it_is_asked() -> None:
    lo = Lowering(fair(), TABLES)
    runner, _ = native(asking, asked=Asked(lo))
    assert [runner.call("compiled", n) for n in (0, 1, 20)] == [0, 106, 125]


@kernel
def doubled(n: int) -> int:
    n = n * 2
    return n


@kernel
def noted(row: Row, n: int) -> int:
    if n > 2:
        row[n] = doubled(row[n - 1]) + 1
    return doubled(n)


@kernel
def put_in_place(row: Row, n: int) -> int:
    found = doubled(doubled(n) + 1)
    for k in range(CELLS):
        if k == n or noted(row, k) > 6:
            found += noted(row, k) + n
    return found + doubled(n) + n


@kernel
def factorial(n: int) -> int:
    return n * factorial(n - 1) if n > 1 else 1


def test_a_short_function_stands_in_place_of_its_calls() -> None:
    lo = Lowering(fair(), TABLES)
    row = lo.memory.room(CELLS)
    write(lo, put_in_place, "compiled")
    assert [f.name for f in lo.functions] == ["compiled"]
    runner = printed(finished(lo).module)
    for n in range(CELLS):
        cells = list(range(1, CELLS + 1))
        runner.memory[row : row + CELLS] = cells
        assert runner.call("compiled", row, n) == put_in_place(cells, n)
        assert list(runner.memory[row : row + CELLS]) == cells


def test_a_function_that_calls_itself_is_called() -> None:
    runner, _ = native(factorial)
    assert [runner.call("compiled", n) for n in range(6)] == [1, 1, 2, 6, 24, 120]


class Link:
    next: Link | None
    worth: int
    seen: Bits

    def __init__(self, following: Link | None, worth: int) -> None:
        self.next, self.worth, self.seen = following, worth, 0


@kernel
def last(link: Link) -> Link | None:
    while link.next:
        link = link.next
    return link


@kernel
def along(asked: Any, n: int) -> int:
    link, count = asked.first, 0
    while link:
        link.worth += n
        link.seen = link.seen * 5 - link.worth & (1 << 64) - 1
        asked.sums[count] = asked.sums[count] - (link.worth << 33)
        count += 1
        link = link.next
    end = last(asked.first)
    return end.worth * 10 + count if end else 0


def test_records_lead_to_others_and_a_host_has_rows_of_long_numbers() -> None:
    class Linked:
        first, sums = Link(Link(None, 3), 2), [4, -5]

    class LowLinked(Host):
        def __init__(self, lo: Lowering) -> None:
            super().__init__(lo)
            self.row = lo.memory.room(12)
            self.first, self.sums = Typed(Num(self.row), Sort.RECORD, Link), Typed(Num(self.row + 8), Sort.LONGS)

    lo, here = Lowering(fair(), TABLES), Linked()
    low = LowLinked(lo)
    write(lo, along, "compiled", asked=low)
    runner = printed(finished(lo).module)
    runner.memory[low.row : low.row + 12] = [low.row + 4, 2, 0, 0, 0, 3, 0, 0, 4, 0, -5, -1]
    for n in (7, 1_000_000, -9):
        assert runner.call("compiled", n) == along(here, n)
    links = (here.first, here.first.next)
    assert [runner.memory[low.row + 1 + 4 * k] for k in range(2)] == [link.worth for link in links if link]
    halves = [runner.memory[low.row + k] & 0xFFFFFFFF for k in (2, 3, 6, 7, 8, 9, 10, 11)]
    longs = [lower | upper << 32 for lower, upper in zip(halves[::2], halves[1::2], strict=True)]
    assert longs == [*(link.seen for link in links if link), *(n & (1 << 64) - 1 for n in here.sums)]


class Deck(NamedTuple):
    top: int
    cards: tuple[int, ...]


@kernel
def card_of(deck: Deck, n: int) -> int:
    return deck.cards[n] if n < len(deck.cards) else deck.top


@kernel
def cards_of(decks: tuple[Deck, ...], n: int) -> int:
    found = 0
    for deck in decks:
        found = found * 10 + card_of(deck, n)
    return found


def test_an_object_that_is_known_stays_known_to_those_who_are_called() -> None:
    decks = (Deck(1, (2, 3)), Deck(4, (5,)))
    runner, _ = native(cards_of, decks=decks)
    assert [runner.call("compiled", n) for n in range(3)] == [cards_of(decks, n) for n in range(3)] == [25, 34, 14]


def test_the_twister_gives_the_numbers_of_python() -> None:
    from random import Random

    class Nobody:
        def keep(self, words: Row) -> None:
            pass

    chance = Random(5)
    words = list(chance.getstate()[1])
    assert [fraction(Nobody(), words) for _ in range(1000)] == [chance.random() * 2**53 for _ in range(1000)]


# ------------------------------------------------------------ what is refused


REFUSED = {
    "for n in range(3): pass\n    return n": "`n`: the variable of a loop has no value behind it",
    "for n in range(3): n = 2": "`n`: the variable of a loop is set by the loop alone",
    "for n in range(a, 9, a): pass": "the step of a range is a number that is known",
    "for n in a: pass": "`a`: a loop goes over `range(...)`",
    "for n in (1, 2): break": "a loop over what is known is written out",
    "while a: a -= 1\n    else: pass": "a loop has no `else`",
    "with a: pass": "there is no With in a kernel function",
    "return [a]": "`[a]`: there is no List in a kernel function",
    "return a / 2": "`a / 2`: the operators are",
    "return a is a": "numbers are compared by == != < <= > and >=",
    "return +a": "the operators in front of one number are",
    "return b": "`b`: native code has no such value",
    "return max(a, 1, 2)": "the greater or the less of two numbers",
    "return hash(a)": "a function is called that is not marked with `@kernel`",
    "return twice(a, a)": "`twice` takes 1 arguments",
    "return twice(n=a)": "arguments stand in their order",
    "return a[0]": "only the words of a row have numbers",
    "return a.x": "the fields here are: none",
    "a, b = twice(a)": "several variables are set to as many values",
    "a[0] += 1": "variables and fields are changed so",
    "a + 1": "this does nothing",
    "c = row\n    c = 1": "it was a row, and would become a number",
    "b: str = a": "native code has `int`, `bool`, `Bits`, `Row`",
    "c += 1": "`c`: it is read before it is set",
}


def made(body: str, head: str = "a: int, row: Row") -> Callable[..., Any]:
    """A kernel function with this body, in a file of its own."""
    text = f"@kernel\ndef twice(n: int) -> int:\n    return n * 2\n\n@kernel\ndef refused({head}) -> int:\n    {body}\n"
    name = f"<{hash(body)}>"
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    names: dict[str, Any] = {"kernel": kernel, "Row": Row}
    exec(compile(text, name, "exec"), names)
    function: Callable[..., Any] = names["refused"]
    return function


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_no_kernel_is_refused_with_its_place(body: str) -> None:
    with pytest.raises(NotInKernel) as told:
        native(made(body))
    assert REFUSED[body] in str(told.value)
    assert ":7: in `refused`" in str(told.value) or ":8: in `refused`" in str(told.value)


def test_parameters_are_plain() -> None:
    with pytest.raises(NotInKernel, match="plain parameters without defaults"):
        native(made("return 1", "a: int = 1"))


def test_what_is_not_marked_is_refused() -> None:
    with pytest.raises(NotInKernel, match="is called, but it is not marked"):
        native(lambda: 1)
