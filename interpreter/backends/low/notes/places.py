"""The places of cards in a game: where each was when an answer was given, and at the end."""

from __future__ import annotations

from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.make import ZERO, add
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.notes.book import Book, card_things

CLEAR_PLACES, SEE_PLACES, COUNT_PLACES = "clear_places", "see_places", "count_places"
"""Functions: a game begins; note where the cards are now; count the places of the game."""


def write(lo: Lowering, book: Book) -> None:
    program, memory = lo.program, lo.memory
    numbers = {thing: n for n, (_, things) in enumerate(card_things(program)) for thing in things}
    cells = {program.placed[thing]: n for thing, n in numbers.items()}
    start = min(cells, default=0) & ~1
    size = max(cells, default=-1) + 1 - start if cells else 0
    size += size % 2
    seen_size = len(book.symbols) * len(book.cards)
    last, seen, found = memory.room(size), memory.room(seen_size), memory.room(seen_size + 1)
    symbols = {name: n for n, name in enumerate(book.symbols)}
    rows = memory.words([symbols.get(z.symbol, 0) * len(book.cards) for z in program.zones])
    columns = memory.words([cells.get(start + k, -1) for k in range(size)])
    with lo.function(CLEAR_PLACES, ()) as w:
        w.emit(low.Clear(Num(last), Num(size)))
        w.emit(low.Clear(Num(seen), Num(seen_size)))
        w.put(found, ZERO)
        w.give(ZERO)
    with lo.function(SEE_PLACES, ()) as w:

        def cell(k: Expr) -> None:
            place, column = w.let(low.Load(k, start)), w.let(low.Load(k, columns))

            def look() -> None:
                w.store(k, last, place)
                w.when(low.Both(place, Op(">=", column, ZERO)), note)

            def note() -> None:
                at = w.let(add(low.Load(place, rows), column))

                def first() -> None:
                    w.store(at, seen, Num(1))
                    count = w.let(add(low.Load(Num(found)), 1))
                    w.put(found, count)
                    w.store(count, found, at)

                w.when(low.Not(low.Load(at, seen)), first)

            w.when(Op("!=", place, low.Load(k, last)), look)

        def pair(label: str) -> None:
            w.leave_if(Op(">=", Local("k"), Num(size)), label)

            def both_cells() -> None:
                cell(Local("k"))
                cell(w.let(add(Local("k"), 1)))

            w.when(Op("!=", low.LoadLong(Local("k"), start), low.LoadLong(Local("k"), last)), both_cells)
            w.set("k", add(Local("k"), 2))

        w.set("k", ZERO)
        if cells:
            w.loop(pair)
        w.give(ZERO)
    with lo.function(COUNT_PLACES, ()) as w:

        def count(n: Expr) -> None:
            at = w.let(low.Load(n, found + 1))
            total = book.totals + book.places
            w.store(at, total, add(low.Load(at, total), 1))

        w.upto(ZERO, low.Load(Num(found)), count)
        w.give(ZERO)
