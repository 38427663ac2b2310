"""What the checker takes to be seen through is seen through by the search."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from dsl.checks.whole_answers import hidden_part
from interpreter.search.folds import HANDLERS
from interpreter.search.formulas import Amounts, Formula, Members, Opaque, Sum
from interpreter.search.known import items_of
from interpreter.search.partial import Partial
from tests.interpreter.search.test_whole import Maker


def opaque_parts(value: Any) -> Iterator[Opaque]:
    match value:
        case Opaque():
            yield value
        case Formula(_, args):
            for arg in args:
                for part in arg if isinstance(arg, tuple) else (arg,):
                    yield from opaque_parts(part)


def test_the_checker_and_the_search_agree() -> None:
    seen = hidden = 0
    for seed in range(600):
        r = random.Random(seed)
        sets, count = r.random() < 0.5, r.randint(2, 5)
        maker = Maker(r, count, sets)
        test = maker.truth(r.randint(1, 3))
        m, words = maker.b.blank()
        m.words = words
        amounts = [Sum(0, {i: range(2 if sets else 4)}) for i in range(count)]
        answer = Members({i + 1: n for i, n in enumerate(amounts)}) if sets else Amounts(dict(enumerate(amounts)))
        temps: list[Any] = [0] * 9
        temps[3] = answer
        truth = Partial(m, [1 if sets else 3] * count, HANDLERS).truth(test, temps)
        many = [part for part in opaque_parts(truth) if len(items_of(part)) > 1]
        if hidden_part(test, frozenset({3}), m.program.functions) is None:
            seen += 1
            assert not many, (seed, test, many)
        else:
            hidden += bool(many)
    assert seen > 200 and hidden > 10, (seen, hidden)
