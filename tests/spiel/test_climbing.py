"""A choice of whole hands with a condition: all that fits is offered, and nothing else, by trying out every hand."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import interpreter as rw

RANKS = "four five six seven eight nine ten jack".split()
Amounts = tuple[int, ...]


def is_row(amounts: Amounts) -> bool:
    held = [number for number, amount in enumerate(amounts) if amount]
    return len(held) >= 3 and max(amounts) == 1 and held[-1] - held[0] == len(held) - 1


def top(amounts: Amounts) -> int:
    return max(number for number, amount in enumerate(amounts) if amount)


def fits(amounts: Amounts, lies: Amounts | None) -> bool:
    """Whether these cards can be played on those that lie there, if any do."""
    if not any(amounts) or not (max(amounts) == sum(amounts) or is_row(amounts)):
        return False
    if lies is None:
        return True
    return sum(amounts) == sum(lies) and is_row(amounts) == is_row(lies) and top(amounts) > top(lies)


def whole(state: rw.State, taken: dict[str, int]) -> Iterator[tuple[Amounts | None, rw.State]]:
    """The whole answers to the question, each with the state behind it; None where it is declined."""
    for option in rw.legal(state):
        after = rw.apply(rw.copy(state), option)
        if option.kind == "decline":
            yield None, after
        elif option.kind == "ready":
            yield tuple(taken.get(rank, 0) for rank in RANKS), after
        else:
            rank, number = option.ids
            yield from whole(after, {**taken, rank: int(number)})


def test_every_hand_that_fits_is_offered_once() -> None:
    game, chance, plays = rw.load(Path(__file__).parent / "rulesets" / "climbing"), random.Random(3), 0
    for seed in range(6):
        state, lies, by = game.new(2, seed=seed, auto=False), None, 0
        while state.decision is not None:
            seat = state.decision.seat
            if by == seat:
                lies = None
            hand = hand_of(state, seat)
            found = list(whole(state, {}))
            wanted = [cards for cards in product(*(range(n + 1) for n in hand)) if fits(cards, lies)]
            offered = [cards for cards, _ in found if cards is not None]
            assert sorted(offered) == sorted(wanted)
            assert len(found) - len(offered) == (lies is not None)
            cards, state = chance.choice(found)
            if cards is not None:
                lies, by, plays = cards, seat, plays + 1
        assert sum(rw.result(state).scores.values()) == 1
    assert plays > 30


def hand_of(state: rw.State, seat: int) -> Amounts:
    """The cards of a seat, of which a view says `four 2` and so on."""
    held = dict(row.split() for row in rw.view(state, seat)["state"]["Seat.hand"][f"p{seat}"])
    return tuple(int(held.get(rank, 0)) for rank in RANKS)
