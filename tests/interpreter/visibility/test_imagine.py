"""What a seat cannot know is dealt again evenly, within the invariants, and leaves no trace of how it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from dsl.base.types import unpack, width
from dsl.program import HEADER
from interpreter import State, apply, copy, legal, view
from interpreter.choices.generator import Generator
from interpreter.core.words import Words
from interpreter.visibility.imagine import imagined
from tests.concepts.play import game as game_of
from tests.conformance.tables import ROOT, folders, load

SMALL = ("goofspiel", "kuhn_poker", "lamplight", "leduc_poker", "liars_dice", "love_letter")
LARGE = ("bios_mesofauna", "bios_origins", "civilization", "dominant_species", "through_the_ages")


def positions(folder: str, most: int) -> Iterator[State]:
    """Positions with a question, of random games."""
    game, chance = load(folder, "reference"), Generator(5)
    left, seed = most, 0
    while left:
        seed += 1
        state = game.new(seed=seed)
        while not state.over and left:
            yield state
            left -= 1
            options = legal(state)
            apply(state, options[chance.below(len(options))])


def with_words(state: State, words: Words) -> State:
    other = copy(state)
    other.replace_words(words)
    return other


def asked(state: State) -> int:
    assert state.decision is not None
    return state.decision.seat


def most_in(folder: str, count: int) -> int:
    return count if Path(folder).name in SMALL else 20


@pytest.mark.parametrize("folder", [str(path.relative_to(ROOT)) for path in folders()])
def test_a_seat_sees_the_same_of_what_it_imagines_and_all_invariants_hold(folder: str) -> None:
    for n, state in enumerate(positions(folder, most_in(folder, 60))):
        seat = asked(state)
        found = imagined(state.game, state.words, seat, Generator(n))
        assert view(with_words(state, found), seat) == view(state, seat)
        machine = state.game.machine
        machine.words = found
        assert all(machine.holds(one) for one in state.game.program.invariants)


def assert_no_trace(folder: str, most: int) -> None:
    """From what a seat has imagined it imagines the same as from how it really is."""
    differ = 0
    for n, state in enumerate(positions(folder, most)):
        seat = asked(state)
        other = imagined(state.game, state.words, seat, Generator(~n))
        differ += other[HEADER:] != state.words[HEADER:]
        one, two = (imagined(state.game, words, seat, Generator(n)) for words in (state.words, other))
        assert one == two, (folder, n)
    assert differ > most // 10


@pytest.mark.parametrize("name", SMALL)
def test_nothing_of_a_secret_is_left_in_what_a_seat_imagines(name: str) -> None:
    assert_no_trace(f"rulesets/{name}", 1000)


@pytest.mark.parametrize("name", LARGE)
def test_nothing_of_a_secret_is_left_in_large_games_either(name: str) -> None:
    assert_no_trace(f"rulesets/{name}", 25)


@pytest.mark.soak
@pytest.mark.parametrize("name", LARGE)
def test_nothing_of_a_secret_is_left_in_a_thousand_positions_of_large_games(name: str) -> None:
    assert_no_trace(f"rulesets/{name}", 1000)


# ------------------------------------------------------------ evenly

Seen = Callable[[State, Words], object]


def symbol(state: State, words: Words, name: str, seat: int) -> object:
    """What a field or zone of a seat holds."""
    entry = next(e for e in state.game.program.layout if e.symbol == name)
    return unpack(words, entry.base + (seat - 1) * width(entry.type), entry.type)


def chi_square(counts: Mapping[object, int], expected: Mapping[object, float]) -> float:
    assert set(counts) <= set(expected)
    return sum((counts.get(key, 0) - mean) ** 2 / mean for key, mean in expected.items())


# How likely a greater value is, if the deal is even, is one in a thousand; by degrees of freedom.
CRITICAL = {1: 10.83, 3: 16.27, 4: 18.47, 5: 20.52, 10: 29.59, 20: 45.31}


def assert_even(state: State, seen: Seen, shares: Mapping[object, float], games: int = 2000) -> None:
    whole = sum(shares.values())
    counts = Counter(
        seen(state, imagined(state.game, state.words, asked(state), Generator(seed))) for seed in range(games)
    )
    expected = {key: games * share / whole for key, share in shares.items()}
    assert chi_square(counts, expected) < CRITICAL[len(shares) - 1], counts


def hand_of_the_second(state: State, words: Words) -> object:
    return symbol(state, words, "Seat.hand", 2)


@pytest.mark.parametrize(("name", "unseen"), [("love_letter", 11), ("leduc_poker", 5), ("kuhn_poker", 2)])
def test_the_hand_of_another_is_each_card_that_is_not_seen_alike(name: str, unseen: int) -> None:
    state = load(f"rulesets/{name}", "reference").new(seats=2, seed=3)
    assert asked(state) == 1
    sample = (imagined(state.game, state.words, 1, Generator(-seed)) for seed in range(1, 300))
    hands = {hand_of_the_second(state, words) for words in sample}
    assert len(hands) == unseen
    assert_even(state, hand_of_the_second, dict.fromkeys(hands, 1.0))


def test_the_bid_of_another_is_each_card_of_its_hand_alike() -> None:
    state = load("rulesets/goofspiel", "reference").new(seats=2, seed=3, options={"cards": "4"})
    apply(state, legal(state)[0])
    assert asked(state) == 2

    def bid(state: State, words: Words) -> object:
        other = with_words(state, words)
        apply(other, legal(other)[0])
        return view(other, None)["state"]["Seat.bid"]["p1"]

    assert_even(state, bid, dict.fromkeys(("ace", "two", "three", "four"), 1.0), 800)


def test_dice_under_a_cup_are_each_face_alike() -> None:
    """A pair of two faces is twice as likely as one of the same."""
    state = load("rulesets/liars_dice", "reference").new(seats=2, seed=3, options={"dice": "2"})
    pairs = Counter(tuple(sorted((one, two))) for one in range(6) for two in range(6))

    def cup(state: State, words: Words) -> object:
        counts = symbol(state, words, "Seat.cup", 3 - asked(state))
        assert isinstance(counts, tuple)
        return tuple(face for face, count in enumerate(counts) for _ in range(count))

    assert_even(state, cup, {pair: float(count) for pair, count in pairs.items()})


SECRETS = """
enum Hue: red, blue, green
piece bead by Hue each 2 from bag
zone bag: bead
kind Seat
    zone pouch: bead seen by owner
    field number: 1..4 seen by owner
    field lucky: Hue or none seen by owner
    field liked: set of Hue seen by owner
phase game
    for every p in seats, h in Hue: gain 1 bead[h] by p to p.pouch
    for every p in seats
        set p.number to 2
        set p.lucky to red
        set p.liked to {red}
    choose k in 1..2 by p1
"""


def test_hidden_fields_are_all_that_their_types_allow_alike() -> None:
    state = game_of(SECRETS, seats=(2, 2)).new(seed=1)
    for name, ways in (("number", 4), ("lucky", 4), ("liked", 8)):

        def seen(state: State, words: Words, name: str = name) -> object:
            return symbol(state, words, f"Seat.{name}", 2)

        sample = {seen(state, imagined(state.game, state.words, 1, Generator(-n))) for n in range(1, 200)}
        assert len(sample) == ways
        assert symbol(state, state.words, f"Seat.{name}", 1) == seen(state, state.words)


def test_counted_pieces_change_places_only_with_each_other() -> None:
    """Of three seats two hide six beads, two of each hue; each has three."""
    state = game_of(SECRETS.replace("each 2", "each 3"), seats=(3, 3)).new(seed=1)
    seen = set()
    for n in range(200):
        words = imagined(state.game, state.words, 1, Generator(n))
        one, two = (symbol(state, words, "Seat.pouch", seat) for seat in (2, 3))
        assert isinstance(one, tuple) and isinstance(two, tuple)
        assert [a + b for a, b in zip(one, two, strict=True)] == [2, 2, 2] and sum(one) == 3
        seen.add(one)
    assert len(seen) == 7  # of 0 to 2 each, with sum 3


STACKS = """
kind Card: 8
zone low: Card ordered seen by nobody
zone high: Card ordered seen by nobody
zone others: Card ordered seen by nobody
value small(c: Card): bool = c in {card_1, card_2, card_3, card_4}
invariant small_below: every(c in low: small(c))
invariant large_above: every(c in high: not small(c))
phase game
    for every c in {card_1, card_2}: move c to low
    for every c in {card_5, card_6, card_7}: move c to high
    for every c in {card_3, card_4, card_8}: move c to others
    shuffle low
    shuffle high
    shuffle others
    choose k in 1..2 by p1
"""


def test_zones_hold_only_what_invariants_allow_there() -> None:
    """Two of four small cards lie low in twelve orders, three of four large ones high in 24."""
    state = game_of(STACKS, seats=(2, 2)).new(seed=1)
    zones = [z for z in state.game.program.zones if z.symbol in ("low", "high")]
    seen: Counter[object] = Counter()
    for n in range(2000):
        words = imagined(state.game, state.words, 1, Generator(n))
        seen[unpack(words, zones[0].base, zones[0].type)] += 1
    assert len(seen) == 12 and max(seen.values()) < 2 * min(seen.values())


def test_what_was_shown_stays_where_it_is() -> None:
    state = game_of(STACKS.replace("    choose", "    show {card_1} to p1\n    choose"), seats=(2, 2)).new(seed=1)
    card = state.game.things["card_1"]
    place = state.game.program.placed[card]
    for n in range(50):
        assert imagined(state.game, state.words, 1, Generator(n))[place] == state.words[place]
