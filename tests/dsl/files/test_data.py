"""Data files against declared kinds, and the other YAML files of a ruleset: values, and diagnostics at their place."""

from __future__ import annotations

import pytest

from dsl.base.span import Source
from dsl.base.types import BoolType, IntType, ListType, MapType, MemberType, SetType, pack, unpack
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.files.data import Schema, declare_records, section, validate_records
from dsl.files.documents import read_clauses, read_display, read_locale, read_manifest
from dsl.files.yaml import read_yaml
from dsl.ir import DomainInfo
from dsl.program import Limits

TREE, FRUIT = MemberType("Tree", 1, 3), MemberType("Fruit", 1, 2)
DOMAINS = {
    "Tree": DomainInfo("Tree", "kind", (1, 2, 3), ("oak", "willow", "D3.E"), {"D4.N": 3}),
    "Fruit": DomainInfo("Fruit", "enum", (1, 2), ("apple", "pear"), {"pome": 1}),
}
SCHEMA = Schema(
    "Tree",
    {
        "height": IntType(1, 5),
        "near": SetType(TREE),
        "fruit": MemberType("Fruit", 1, 2, optional=True),
        "crop": MapType((FRUIT,), IntType(0, 9)),
        "row": ListType(TREE, 2),
        "old": BoolType(),
        "way": MapType((FRUIT, TREE), IntType(0, 9)),
    },
)


def places(text: str, found: list[Diagnostic]) -> list[tuple[str, int, str]]:
    """(code, line, the words that are marked) of every diagnostic."""
    source = Source("", text)
    return [(d.code, source.place(d.span.start)[0], text[d.span.start : d.span.end]) for d in found]


def records(text: str) -> tuple[dict[str, dict[str, object]], list[Diagnostic]]:
    root, found = read_yaml(Source("data/trees.yaml", text))
    assert root is not None and not found
    node, found = section(root, "Tree")
    if node is None:
        return {}, found
    return validate_records(SCHEMA, node, DOMAINS)


def test_a_record_becomes_numbers_masks_and_tuples() -> None:
    found, diagnostics = records(
        "Tree:\n"
        "  oak:\n"
        "    height: 5\n"
        "    near: [willow, D4.N]  # D4.N is another id of D3.E\n"
        "    fruit: pear\n"
        "    crop: {pear: 3}\n"
        "    row: [D3.E, oak]\n"
        "    old: true\n"
        "    way: {pear: {willow: 2}}\n"
        "    source: measured\n"
    )
    assert not diagnostics
    assert found == {
        "oak": {
            "height": 5,
            "near": 0b1100,
            "fruit": 2,
            "crop": (0, 3),
            "row": (3, 1),
            "old": 1,
            "way": (0, 0, 0, 0, 2, 0),
        }
    }
    for name, value in found["oak"].items():
        assert unpack(pack(value, SCHEMA.fields[name]), 0, SCHEMA.fields[name]) == value


def test_what_is_left_out_is_zero_where_zero_fits() -> None:
    found, diagnostics = records("Tree:\n  oak: {height: 2, fruit: none}\n")
    assert not diagnostics
    assert found["oak"] == {
        "height": 2, "near": 0, "fruit": 0, "crop": (0, 0), "row": (), "old": 0, "way": (0,) * 6,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "code", "marked", "words"),
    [
        ("height: 7", "RW0313", "7", "7 is outside 1..5"),
        ("height: tall", "RW0312", "tall", "expected a number 1..5"),
        ("height: true", "RW0312", "true", "read `true`"),
        ("near: [oak, wilow]", "RW0314", "wilow", "no Tree `wilow`"),
        ("near: [oak, oak]", "RW0315", "oak", "twice"),
        ("near: oak", "RW0312", "oak", "expected a list"),
        ("fruit: [pear]", "RW0312", "[pear]", "expected one Fruit"),
        ("crop: {pearr: 1}", "RW0314", "pearr", "no Fruit `pearr`"),
        ("crop: {pear: 10}", "RW0313", "10", "10 is outside 0..9"),
        ("crop: {apple: 1, pome: 2}", "RW0315", "pome", "another id"),
        ("crop: 3", "RW0312", "3", "expected amounts by key"),
        ("row: [oak, oak, willow]", "RW0316", "willow", "a list of 3 items, but there can be at most 2"),
        ("row: [none]", "RW0317", "none", "expected one Tree"),
        ("old: yes", "RW0312", "yes", "`true` or `false`"),
        ("way: {pear: {wilow: 1}}", "RW0314", "wilow", "no Tree `wilow`"),
        ("nera: [oak]", "RW0310", "nera", "has no `nera`"),
    ],
)
def test_one_mistake_in_a_record_is_one_diagnostic_at_its_value(line: str, code: str, marked: str, words: str) -> None:
    height = "" if line.startswith("height") else "    height: 1\n"
    text = f"Tree:\n  oak:\n{height}    {line}\n  willow: {{height: 2}}\n"
    found, diagnostics = records(text)
    assert places(text, diagnostics) == [(code, text[: text.index(line)].count("\n") + 1, marked)]
    assert words in diagnostics[0].message and diagnostics[0].help
    assert list(found) == ["willow"]  # the other records are still read


def test_the_nearest_known_name_is_offered() -> None:
    _, diagnostics = records("Tree:\n  oak:\n    heigth: 3\n    fruit: paer\n")
    assert [d.help for d in diagnostics] == ["did you mean `pear`?", "did you mean `height`?"]


def test_missing_constants_and_missing_blocks() -> None:
    text = "Tree:\n  oak:\n  willow: 3\n"
    _, diagnostics = records(text)
    assert places(text, diagnostics) == [("RW0311", 2, "oak"), ("RW0312", 3, "3")]
    text = "Trees:\n  oak: {height: 1}\n"
    _, diagnostics = records(text)
    assert places(text, diagnostics) == [("RW0304", 1, "Trees")]
    assert diagnostics[0].help == "rename `Trees:` to `Tree:`"


def test_the_same_fault_of_many_records_is_one_message() -> None:
    rows = "".join(f"  t{i}: {{heigth: 1}}\n" for i in range(20))
    _, diagnostics = records(f"Tree:\n{rows}")
    assert [d.message for d in diagnostics] == ["Tree `t0` has no `heigth`, nor have 19 other records"]


def test_ids_and_aliases() -> None:
    text = "oak: {aliases: [D4.N, big_oak]}\nwillow: {aliases: [oak, D4.N]}\nbad id:\n"
    root, _ = read_yaml(Source("", text))
    assert root is not None
    ids, aliases, diagnostics = declare_records(root)
    assert ids == ("oak", "willow", "bad id")
    assert aliases == {"D4.N": "oak", "big_oak": "oak"}
    assert places(text, diagnostics) == [("RW0306", 3, "bad id"), ("RW0307", 2, "oak"), ("RW0307", 2, "D4.N")]


# ---------------------------------------------------------------- YAML itself


def test_yaml_1_2_words_and_places() -> None:
    text = "a: [yes, no, on, off, true, ~, 12, 0.1]\nb:\n    c: word\n# a remark\nd: 'true'\n"
    root, found = read_yaml(Source("x.yaml", text))
    assert root is not None and not found
    assert root.plain() == {
        "a": ["yes", "no", "on", "off", True, None, 12, "0.1"], "b": {"c": "word"}, "d": "true",
    }  # fmt: skip
    block = root.get("b")
    assert block is not None and text[block.span.start : block.span.end] == "c: word"


@pytest.mark.parametrize(
    ("text", "code", "line", "marked"),
    [
        ("a: 1\na: 2\n", "RW0302", 2, "a"),
        ("a: b: c\n", "RW0301", 1, ":"),
        ("a: 1\nb: [1, 2\nc: 3\n", "RW0301", 2, "2"),
        ("a:\n\t- b\n", "RW0301", 2, "\t"),
        ("a: 1\nb: 'x\nc: 1\n", "RW0301", 2, "'"),
        ("a:\n  b: 1\n c: 2\n", "RW0301", 3, "c"),
        ("a: 1\nb\nc: 2\n", "RW0301", 2, "b"),
        ("a: \x01\n", "RW0301", 1, "\x01"),
        ("a: *x\n", "RW0303", 1, "*x"),
        ("a: &x 1\n", "RW0303", 1, "&x 1"),
        ("a: !!python/object:os.system 1\n", "RW0303", 1, "!!python/object:os.system 1"),
        ("a: 1\n---\nb: 2\n", "RW0303", 2, "---"),
        ("? [a]\n: 1\n", "RW0301", 1, "[a]"),
    ],
)
def test_bad_yaml_is_reported_where_it_is_mended(text: str, code: str, line: int, marked: str) -> None:
    _, found = read_yaml(Source("x.yaml", text))
    assert places(text, found) == [(code, line, marked)]
    assert found[0].help and "expected <" not in found[0].message


@pytest.mark.parametrize("text", ["[" * 100_000, "a: 1\nb: " + "{a: " * 101, "- " * 5000 + "a", " " * 300 + "a: 1"])
def test_deep_nesting_is_a_diagnostic(text: str) -> None:
    node, found = read_yaml(Source("x.yaml", text))
    assert node is None and [d.code for d in found] == ["RW0301"]
    assert "nested" in found[0].message


def test_nesting_that_is_not_too_deep() -> None:
    node, found = read_yaml(Source("x.yaml", "[" * 100 + "]" * 100))
    assert node is not None and not found


# ---------------------------------------------------------------- the other files

MANIFEST = """\
id: orchard
version: 0.2
title: {en: The Orchard, ja: 果樹園}
seats: {min: 2, max: 4}
load: [state.rules, actions/pick.rules]
result: {score: standing(p), winners: winners}
evaluate: standing(p)
limits: {frames: 20}
watch: fruit(p), helpers(p)
presets: {short: {random_start: true, length: brief}}
"""


def test_manifest() -> None:
    manifest, found = read_manifest(Source("ruleset.yaml", MANIFEST))
    assert manifest is not None and not found
    assert (manifest.id, manifest.version, manifest.seats) == ("orchard", "0.2", (2, 4))
    assert manifest.load == ("state.rules", "actions/pick.rules")
    assert manifest.limits == Limits(frames=20)
    assert manifest.watch == ("fruit(p)", "helpers(p)")
    assert manifest.presets == {"short": {"random_start": "true", "length": "brief"}}
    span = manifest.span("result", "winners")
    assert MANIFEST[span.start : span.end] == "winners"


def test_whether_scores_add_up_to_nothing_is_no_value_of_the_rules() -> None:
    text = MANIFEST.replace("winners: winners", "winners: winners, zero_sum: true")
    manifest, found = read_manifest(Source("ruleset.yaml", text))
    assert manifest is not None and not found
    assert manifest.zero_sum and manifest.result == {"score": "standing(p)", "winners": "winners"}


@pytest.mark.parametrize(
    ("old", "new", "code", "line", "marked"),
    [
        ("id: orchard", "id: Or chard", "RW0306", 1, "Or chard"),
        ("{min: 2, max: 4}", "4..2", "RW0313", 4, "4..2"),
        ("{min: 2, max: 4}", "{min: 2}", "RW0312", 4, "seats"),
        ("state.rules", "../other/state.rules", "RW0332", 5, "../other/state.rules"),
        ("state.rules", "/etc/state.rules", "RW0332", 5, "/etc/state.rules"),
        ("state.rules", "state.py", "RW0333", 5, "state.py"),
        ("frames: 20", "frame: 20", "RW0310", 8, "frame"),
        ("frames: 20", "frames: 0", "RW0313", 8, "0"),
        ("evaluate:", "evalute:", "RW0310", 7, "evalute"),
        ("version: 0.2\n", "", "RW0311", 1, "id"),
        ("en: The Orchard, ja: 果樹園", "", "RW0311", 3, "title"),
        ("[state.rules, actions/pick.rules]", "state.rules", "RW0312", 5, "state.rules"),
    ],
)
def test_mistakes_in_a_manifest(old: str, new: str, code: str, line: int, marked: str) -> None:
    text = MANIFEST.replace(old, new)
    manifest, found = read_manifest(Source("ruleset.yaml", text))
    assert manifest is None
    assert places(text, found) == [(code, line, marked)]
    assert found[0].help


def test_clauses() -> None:
    text = "OR-4.1: {title: Picking, source: p. 3}\nOR-4.2: Words alone\nOR-9: {title: Manners, prose: no rule}\n"
    clauses, found = read_clauses(Source("clauses.yaml", text))
    assert not found
    assert {key: clause.as_dict() for key, clause in clauses.items()} == {
        "OR-4.1": {"title": "Picking", "source": "p. 3", "prose": ""},
        "OR-4.2": {"title": "Words alone", "source": "", "prose": ""},
        "OR-9": {"title": "Manners", "source": "", "prose": "no rule"},
    }
    text = "or4: x\nOR-5:\nOR-6: {tilte: x}\nOR-7: {source: x}\nOR-8: fine\n"
    clauses, found = read_clauses(Source("clauses.yaml", text))
    assert list(clauses) == ["OR-8"]
    assert places(text, found) == [
        ("RW0340", 1, "or4"), ("RW0312", 2, "OR-5"), ("RW0310", 3, "tilte"), ("RW0311", 4, "OR-7"),
    ]  # fmt: skip


def test_locale_is_flat_whatever_its_shape() -> None:
    text = 'pick:\n    tree: {ask: "Pick {c}"}\npick.tree.done: picked {n} {n|apple|apples}\nTree:\n    D3.E: 3\n'
    locale, found = read_locale(Source("locale/en.yaml", text))
    assert not found
    assert locale.texts == {
        "pick.tree.ask": "Pick {c}", "pick.tree.done": "picked {n} {n|apple|apples}", "Tree.D3.E": "3",
    }  # fmt: skip
    text = "a:\n    b: one\na.b: two\nc: open {x\nd: [1]\ne:\n"
    locale, found = read_locale(Source("locale/en.yaml", text))
    assert places(text, found) == [
        ("RW0302", 3, "a.b"), ("RW0351", 4, "open {x"), ("RW0350", 5, "d"), ("RW0350", 6, "e"),
    ]  # fmt: skip
    assert locale.texts["a.b"] == "one"


def test_display_is_plain_data() -> None:
    display, found = read_display(Source("display.yaml", "zones: {bag: {as: stack}}\n"))
    assert not found and display is not None and display.plain() == {"zones": {"bag": {"as": "stack"}}}
    _, found = read_display(Source("display.yaml", "- 1\n"))
    assert [d.code for d in found] == ["RW0312"]
