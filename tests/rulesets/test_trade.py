"""Trading in Civilization: what a seat sees of a session depends only on what it was told.

Two sessions go the same way with other cards. All that a seat can see, ask or try (`tests.secrets.seen`) must be equal
after each answer: for a third seat whatever lies in the bundles, for a partner as long as the two statements about them
are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from interpreter import Game, State, answer, log_for
from interpreter.records.position import build
from interpreter.records.steps import run_step
from tests.conformance.tables import load
from tests.secrets.seen import first_difference, seen

ATTEMPTS = [("propose", "crete"), ("accept", "egypt")]
THINGS = ["hides_2", "epidemic"]
Told = tuple[str, str, str]  # who answers, in the one session, in the other

SAME = (
    "egypt propose crete iron iron_2 iron_3 ready iron",
    "crete boast egypt hides 5",
    "egypt withdraw",
    "asia propose egypt cloth cloth_2 cloth_3 cloth",
)


def same(words: str) -> Told:
    who, _, rest = words.partition(" ")
    return who, rest, rest


def session(game: Game, position: str) -> State:
    state = build(game, position)
    run_step(state, game.program.rulings["CIV_C42_9"].stages[0].steps[0])
    return state


def compared(one: State, other: State, told: Iterable[Told], seats: Sequence[int | None]) -> int:
    """How many answers were taken; the seats see the same after each of them."""
    taken = 0
    for who, first, second in told:
        answer(one, first, who)
        answer(other, second, who)
        taken += 1
        for seat in seats:
            difference = first_difference(seen(one, seat, ATTEMPTS, THINGS), seen(other, seat, ATTEMPTS, THINGS))
            assert not difference, (who, first, second, seat, difference)
    return taken


def test_a_third_seat_learns_nothing_of_the_bundles() -> None:
    """CIV-42.5: nobody else learns more than the sizes of the bundles and the calamities laid open."""
    game = load("rulesets/civilization")
    told = [
        ("crete", "propose egypt hides hides_2 salt ready salt", "propose egypt bronze ochre hides ready ochre"),
        ("crete", "boast egypt bronze 3", "boast egypt gold 9"),
        ("egypt", "propose crete iron iron_2 gold ready gold", "propose crete papyrus piracy papyrus_2 ready papyrus"),
        ("crete", "propose egypt hides epidemic salt ready salt", "propose egypt ochre hides salt ready ochre"),
        ("egypt", "withdraw", "withdraw"),
        ("crete", "propose egypt hides hides_2 salt ready hides", "propose egypt hides bronze ochre ready bronze"),
        (
            "egypt",
            "propose crete iron iron_2 iron_3 ready iron",
            "propose crete papyrus papyrus_2 papyrus_3 ready papyrus",
        ),
        same("asia propose egypt cloth cloth_2 cloth_3 cloth"),
        ("crete", "accept egypt", "accept egypt"),
        ("crete", "propose egypt iron iron_2 hides_3 ready hides", "propose egypt salt papyrus hides_2 ready papyrus"),
        *map(same, ("asia withdraw", "crete decline", "asia decline", "egypt decline")),
    ]
    assert compared(session(game, "one_hand"), session(game, "other_hands"), told, [5, None]) == len(told)


def test_a_partner_learns_the_two_statements_alone() -> None:
    """CIV-42.2: what is worth the same and named alike cannot be told apart before the swap, by words of Egypt's own
    neither."""
    game = load("rulesets/civilization")
    one, other = (session(game, name) for name in ("one_hand", "other_hand"))
    bundle = (
        "crete",
        "propose egypt hides hides_2 hides_3 hides_4 epidemic ready hides",
        "propose egypt hides hides_2 hides_3 ochre bronze ready hides",
    )
    told = [bundle, *map(same, SAME), bundle, *map(same, ("crete withdraw", "egypt decline"))]
    assert compared(one, other, told, [7]) == len(told)


def test_a_partner_hears_what_is_said_and_a_third_does_not() -> None:
    """CIV-20.3, CIV-20.12: the true statements and the free talk reach the partner, the log of others names nothing."""
    state = session(load("rulesets/civilization"), "one_hand")
    answer(state, "propose egypt hides hides_2 epidemic ready hides", "crete")
    answer(state, "boast egypt gold 9", "crete")
    heard, others = (" ".join(map(str, log_for(state, seat))) for seat in (7, 5))
    assert "Hides" in heard and "have 9 Gold" in heard and "Epidemic" not in heard
    assert "Hides" not in others and "Gold" not in others
    answer(state, "call_out salt 4", "crete")
    assert all("have 4 Salt" in " ".join(map(str, log_for(state, seat))) for seat in (7, 5))
