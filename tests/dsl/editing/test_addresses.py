"""Addresses of overlays in editors: what each name in them means, what may follow, and renaming that reaches them."""

from __future__ import annotations

import pytest

from dsl.base.span import Source
from dsl.editing import NameIndex, analyse
from dsl.editing.complete import complete
from dsl.editing.rename import apply_edits, rename
from dsl.files.ruleset import FileTexts
from dsl.overlay.addresses import address_in

GAME = """\
enum Cause: picked, thrown
piece apple each 9 from store
zone store: apple
kind Seat
    zone basket: apple
phase game
    do planning()
    do execution()
procedure planning()
    for every p in seats
        choose number n in 1..2 by p
        let half = n
        move half apple from store to p.basket as picked
procedure execution()
    for every p in seats: move p.basket to store as thrown
"""
VARIANT = """\
variant more on test
    insert after game.execution
        do execution()
    drop planning.for.move
    replace planning.half was "{}"
        let half = 1
    insert after planning.n
        let other = 1
    insert before Cause.thrown
        enum Cause: eaten
"""


def texts(variant: str = VARIANT) -> FileTexts:
    found = FileTexts()
    found.add("game.rules", Source("game.rules", GAME))
    layer = FileTexts("more")
    layer.add("more.variant", Source("more.variant", variant))
    found.overlays = [layer]
    return found


def base() -> FileTexts:
    found = texts()
    found.overlays = []
    return found


@pytest.mark.parametrize(
    ("words", "name", "sort"),
    [
        ("after game.execution", "game", "routine"),
        ("after game.execution", "execution", "routine"),
        ("planning.half", "half", "local"),
        ("planning.n\n", "n", "local"),
        ("Cause.thrown", "thrown", "member"),
        ("Cause.thrown", "Cause", "enum"),
    ],
)
def test_each_name_of_an_address_means_what_the_line_is_named_after(words: str, name: str, sort: str) -> None:
    given = texts()
    index = NameIndex(given, analyse(given, "test"))
    at = VARIANT.index(words) + words.rindex(name)
    found = index.name_at("more.variant", at)
    assert found is not None
    _, text, symbols = found
    assert text == name and [s.sort for s in symbols] == [sort]
    place = index.declarations(symbols[0])[0]
    assert place.file == "game.rules" and GAME[place.start : place.end] == name


@pytest.mark.parametrize(
    ("words", "new", "expected"),
    [
        ("procedure execution", "doing", "insert after game.doing\n        do doing()"),
        ("procedure planning", "thinking", "replace thinking.half"),
        ("let half", "part", "replace planning.part"),
        ("number n", "number_of", "insert after planning.number_of\n"),
        ("picked, thrown", "thrown_away", "insert before Cause.thrown_away"),
    ],
)
def test_rename_reaches_addresses(words: str, new: str, expected: str) -> None:
    first, _, last = words.rpartition(" ")
    variant = VARIANT.replace(' was "{}"', "")
    layer = texts(variant).overlays[0]
    edits = rename(base(), [layer], "test", "game.rules", GAME.index(words) + len(first) + 1, new)
    assert expected in apply_edits(layer, edits).patches[0].text


@pytest.mark.parametrize(
    ("typed", "offered", "not_offered"),
    [
        ("insert after ", {"game", "planning", "Cause"}, {"picked", "all"}),
        ("insert after game.", {"planning", "execution"}, {"half"}),
        ("replace planning.", {"for", "n", "half", "move"}, {"planning"}),
        ("drop planning.for.", {"n", "half", "move"}, {"for"}),
        ("drop planning.for.h", {"half"}, {"move"}),
        ("alter Cause.", {"picked", "thrown"}, {"apple"}),
    ],
)
def test_completion_behind_a_patch_offers_addresses(typed: str, offered: set[str], not_offered: set[str]) -> None:
    variant = f"variant more on test\n    {typed}"
    given = texts(variant)
    labels = {item.label for item in complete(NameIndex(given, analyse(given, "test")), "more.variant", len(variant))}
    assert offered <= labels and not labels & not_offered


def test_an_address_is_read_as_it_is_written() -> None:
    assert address_in("goal[3..5]") == "goal.3-5" and address_in("turn.for[2].twice") == "turn.for.2.twice"
