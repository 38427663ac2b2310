"""Views, the same for all rulesets: what a seat cannot know is in none of its views, options, logs and reasons."""

from __future__ import annotations

import json
import random
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pytest

import interpreter as rw
from dsl.program import ALL
from tests.conformance.redeal import redealt, unknown_things
from tests.conformance.tables import SMALL, Table, advance, each_table, load, random_states, sample_states

MASKS = [Table(f"{SMALL.relative_to(SMALL.parents[2])}/masks", seats) for seats in (2, 3, 4)]
each_masks = pytest.mark.parametrize("table", MASKS, ids=lambda t: t.name)


def visible(state: rw.State, seat: int | None, attempts: list[tuple[str, ...]]) -> dict[str, Any]:
    """All that a seat can see of a state, as plain data; `attempts`: answers whose reasons it asks for."""
    found: dict[str, Any] = {"view": [rw.view(state, seat, lang) for lang in ("en", "ja")]}
    found["log"] = [rw.log_for(state, seat, lang) for lang in ("en", "ja")]
    if seat is not None:
        found["moments"] = [(o.code, o.ids, o.text("en")) for o in rw.moments(state, seat)]
        found["reasons"] = [[repr(r) for r in rw.explain(state, words, seat=seat)] for words in attempts]
        if state.decision is not None and seat == state.decision.seat:
            found["prompt"] = [state.decision.prompt(lang) for lang in ("en", "ja")]
            found["options"] = [(o.kind, o.code, o.ids, o.text("en"), o.text("ja")) for o in rw.legal(state)]
    return found


@each_table
def test_what_a_seat_can_not_know_changes_nothing_for_it(table: Table) -> None:
    chooser = random.Random(3)
    if not any(e.audience != ALL for e in table.game.program.layout if e.sort != "counter"):
        assert '"hidden"' not in json.dumps(rw.view(table.new(41), None))
        return
    different = 0
    games = chain.from_iterable(random_states(table, seed) for seed in range(41, 71))
    positions = 150 if table.small else table.share(90)
    for number, state in enumerate(islice(games, 4 * positions)):
        if number >= positions and different > table.seats:
            break  # enough; a game that begins before anything is dealt is looked at for longer
        if number % 10 and not table.small:
            continue
        attempts = words_to_try(state, chooser)
        for seat in (None, *range(1, state.seats + 1)):
            twin = redealt(state, seat, chooser)
            different += twin.words != state.words
            assert visible(twin, seat, attempts) == visible(state, seat, attempts), f"seat {seat}, decision {number}"
    assert different > table.seats, "nothing was hidden: the test proves nothing"


def words_to_try(state: rw.State, chooser: random.Random) -> list[tuple[str, ...]]:
    """Answers to ask about: offered ones, and offered ones with one thing replaced by another."""
    offered = [option.ids for option in rw.legal(state)]
    found = chooser.sample(offered, min(4, len(offered)))
    program = state.game.program
    for ids in list(found):
        for at, word in enumerate(ids):
            for domain in program.domains.values():
                if word in domain.ids:
                    found.append((*ids[:at], chooser.choice(domain.ids), *ids[at + 1 :]))
    return found[:12]


@each_table
def test_the_log_names_no_thing_that_a_seat_never_knew(table: Table) -> None:
    """A thing that a seat has not known at any decision is in none of its log lines."""
    program = table.game.program
    never = {s: set(range(1, len(program.thing_ids))) for s in range(1, table.seats + 1)}
    names = {t: program.texts["en"].get(f"{k}.{program.thing_ids[t]}", "") for t, k in enumerate(program.thing_kinds)}
    unique = {t for t, name in names.items() if name and sum(name in other for other in names.values()) == 1}
    for state in sample_states(table, 42, 60):
        for seat in never:
            never[seat] &= set(unknown_things(state.game, state.words, seat))
    for seat, things in never.items():
        log = "\n".join(rw.log_for(state, seat, "en"))
        assert not [names[t] for t in sorted(things & unique) if names[t] in log], f"seat {seat}"


@each_masks
@pytest.mark.parametrize("seed", range(4))
def test_games_that_differ_in_hidden_things_are_told_alike(table: Table, seed: int) -> None:
    """Two whole games, equal but for things that a seat never gets to know, are one game to that seat."""
    ids = [i for i, k in zip(table.game.program.thing_ids, table.game.program.thing_kinds, strict=True) if k == "Mask"]
    order = random.Random(seed).sample(ids, len(ids))
    hidden = {seat: set(ids) for seat in range(1, table.seats + 1)}
    codes: list[tuple[str, ...]] = []
    state = table.new(seed, script=(tuple(order),), auto=False)
    while True:
        for seat, things in hidden.items():
            here = unknown_things(state.game, state.words, seat)
            things &= {table.game.program.thing_ids[t] for t in here}
        if state.over:
            break
        before = len(state.log)
        rw.apply(state, random.Random(f"{seed} {before}").choice(rw.legal(state)))
        codes.append(next(e.ids for e in state.log[before:] if e.kind == "choice"))
    for seat, things in hidden.items():
        if len(things) > 1:
            swapped = dict(zip(sorted(things), [*sorted(things)[1:], sorted(things)[0]], strict=True))
            compare_swapped(table, seed, order, codes, seat, swapped)


def compare_swapped(
    table: Table, seed: int, order: list[str], answers: list[tuple[str, ...]], seat: int, swapped: dict[str, str]
) -> None:
    one = table.new(seed, script=(tuple(order),), auto=False)
    other = table.new(seed, script=(tuple(swapped.get(i, i) for i in order),), auto=False)
    for ids in answers:
        assert visible(one, seat, []) == visible(other, seat, [])
        for state, wanted in ((one, ids), (other, tuple(swapped.get(i, i) for i in ids))):
            rw.apply(state, next(o for o in rw.legal(state) if o.ids == wanted))
    assert one.over and other.over and one.words != other.words
    assert visible(one, seat, []) == visible(other, seat, [])


def test_a_reason_that_reads_hidden_things_is_shown_as_hidden() -> None:
    table = MASKS[0]
    for state in sample_states(table, 43, 40):
        if state.decision is None or state.decision.address != "turn.one":
            continue
        asked, other = state.decision.seat, 3 - state.decision.seat
        theirs = rw.view(state, other)["state"]["Seat.hand"][f"p{other}"]
        for mask in theirs:
            (known,) = rw.explain(state, f"show_mask {mask}")
            assert not known.hidden
            (reason,) = rw.explain(state, f"show_mask {mask}", seat=other)
            assert reason.hidden and not reason.seen and "hidden" in reason.line() and mask not in reason.line()
        mine = rw.view(state, asked)["state"]["Seat.hand"][f"p{asked}"]
        for mask in mine:
            (reason,) = rw.explain(state, f"show_mask {mask}", seat=other)
            assert reason.hidden, "that it is legal would tell where it is"
        return
    raise AssertionError("no turn came up")


@each_table
def test_others_learn_nothing_of_an_open_plan(table: Table) -> None:
    """Up to its commit point a plan may be taken back: whatever is chosen in it, others are told the same."""
    open_plans = 0
    games = [random_states(table, seed, 400 if table.small else table.share(30)) for seed in range(45, 49)]
    for state in chain(*games):
        plan = state.plan
        if plan is None or state.decision is None or state.decision.seat != plan.seat:
            continue
        for option in rw.legal(state)[:4]:
            twin = rw.apply(rw.copy(state), option)
            if twin.plan == plan and twin.decision is not None and twin.decision.seat == plan.seat:
                open_plans += 1
                for seat in {None, *range(1, state.seats + 1)} - {plan.seat}:
                    assert visible(twin, seat, []) == visible(state, seat, [])
    assert open_plans > 3 or "foundry" not in table.name, "no plan was open: the test proves nothing"


@each_masks
def test_bids_made_at_once_are_seen_by_nobody_else_before_all_are_made(table: Table) -> None:
    state = table.new(5)
    while state.decision is not None and state.decision.address != "auction.n":
        rw.apply(state, rw.legal(state)[0])
    chooser = random.Random(1)
    one, other = rw.copy(state), rw.copy(state)
    for bid, twin in ((2, one), (4, other)):
        rw.answer(twin, str(bid), 1)
    for seat in (None, *range(2, table.seats + 1)):
        assert visible(one, seat, []) == visible(other, seat, [])
    assert visible(one, 1, []) != visible(other, 1, []), "who has bid is told what was bid"
    while one.decision is not None and one.decision.address == "auction.n":
        advance(one, chooser)
    assert "Ada bids 2" in "\n".join(rw.log_for(one, 1)) and "Ada bids 2" not in "\n".join(rw.log_for(one, 2))


@each_table
def test_views_are_plain_data(table: Table) -> None:
    for number, state in enumerate(sample_states(table, 44, 40)):
        if number % 4 == 0:
            for seat in (None, *range(1, state.seats + 1)):
                shown = rw.view(state, seat)
                assert json.loads(json.dumps(shown)) == shown
                asked = shown["decision"]
                assert asked is None or ("options" in asked) == (asked["seat"] == seat)


def test_the_masks_are_hidden_at_all() -> None:
    """What the tests above rely on: the small ruleset has hidden zones, fields and counts."""
    sorts = {e.sort for e in load(MASKS[0].folder).program.layout if e.audience != ALL}
    assert {"zone", "field", "pieces"} <= sorts


def test_a_zone_for_one_counted_piece_shows_which_it_is(tmp_path: Path) -> None:
    """The store holds a number there; a view has the piece's name."""
    rules = "piece disc by Hue each 3 from bag\nenum Hue: pale, dark\nzone bag: disc\nzone slot: disc max 1\n"
    rules += "phase game\n    choose h in Hue by p1\n    move 1 disc[h] from bag to slot\n    choose g in Hue by p1\n"
    manifest = "id: small\nversion: 1\ntitle: {en: Small, ja: Small}\nseats: 1..2\nload: [small.rules]\n"
    (tmp_path / "small.rules").write_text(rules, encoding="utf-8")
    (tmp_path / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    state = rw.load(tmp_path).new()
    assert rw.view(state, None)["state"]["slot"] == "none"
    (_, dark) = rw.legal(state)
    assert "slot: none -> dark" in rw.render_trace(rw.trace(state, dark))
    rw.apply(state, dark)
    shown = rw.view(state, None)["state"]
    assert (shown["slot"], shown["bag"]) == ("dark", ["pale 3", "dark 2"])
