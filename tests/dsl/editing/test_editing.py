"""What editors ask, without a protocol: which declaration a name means, what may stand somewhere, renaming."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dsl.base.span import Source
from dsl.driver.pipeline import run_all_passes
from dsl.driver.reference import with_bases
from dsl.editing import NameIndex, analyse
from dsl.editing.analysis import OffsetMap, analysis_of
from dsl.editing.complete import complete
from dsl.editing.hover import hover
from dsl.editing.rename import RenameRefused, apply_edits, rename
from dsl.elaborate.expressions.calls import BUILTINS
from dsl.files.ruleset import FileTexts, errata_of, read_files, variants_of
from dsl.ir.lattices import AXES, SHEET
from dsl.overlay import ALL_ERRATA
from dsl.symbols.types import RESERVED
from dsl.syntax.walk import walk
from interpreter import load
from interpreter.records.ruling import run_ruling
from tests.conformance.tables import in_soak_if_large

RULESETS = sorted(p for p in Path("rulesets").iterdir() if p.is_dir())
GAME = """\
enum Cause: picked, thrown
enum Fruit: apple, pear
option long: bool = false
kind Seat
    zone basket: piece_of
    field luck: 0..9
kind Crate from "data/crates.yaml"
    const holds: Fruit
    field luck: 0..9
piece piece_of by Fruit each 20 from tree
zone tree: piece_of
value worth(p: Seat): int = p.luck + sum(c in Crate where c.holds is apple: c.luck)
phase game
    for every p in seats: do pick(p)
procedure pick(p: Seat)
    choose f in Fruit where tree[f] > 0 by p
    move 1 piece_of[f] from tree to p.basket as picked
"""
DATA = {"data/crates.yaml": "Crate:\n  red: {holds: apple}\n  blue: {holds: pear}\n"}
EN = "Fruit: {apple: apple, pear: pear}\npick.f: {ask: 'Which?', pick: '{f}', done: '{actor} picks {f}'}\n"


def texts(rules: str = GAME, **more: str) -> FileTexts:
    found = FileTexts()
    found.add("game.rules", Source("game.rules", rules))
    for name, text in (DATA | {"locale/en.yaml": EN} | more).items():
        found.add(name, Source(name, text))
    return found


def name_index(rules: str = GAME) -> NameIndex:
    given = texts(rules)
    return NameIndex(given, analyse(given, "test"))


def offset(words: str, inside: int = 0, text: str = GAME) -> int:
    return text.index(words) + inside


def after(new: str, words: str, inside: int = 0) -> dict[str, str]:
    """The files after a rename, with the rest of what they hold."""
    given = texts()
    edits = rename(given, [], "test", "game.rules", offset(words, inside), new)
    return {name: source.text for name, source in apply_edits(given, edits).all().items()}


# ---------------------------------------------------------------- names


@pytest.mark.parametrize("path", RULESETS, ids=lambda p: p.name)
def test_every_name_of_every_ruleset_means_one_thing(path: Path) -> None:
    check_names(path, None)


@pytest.mark.parametrize("path", in_soak_if_large(RULESETS))
def test_every_name_means_one_thing_under_overlays(path: Path) -> None:
    check_names(path, *variants_of(path.resolve()), *errata_of(path.resolve()))


def check_names(path: Path, *overlays: Path | None) -> None:
    """Words of the language, seats, built-in functions and words of rulings mean nothing that a text declares."""
    free = {*RESERVED, *BUILTINS, "Seat", "decline", "options", "chance", "top", "bottom", "nobody", "effect", "rank"}
    free |= {"copies", "copy", "original", "move", "gain", "lose", "pay", "turn", *AXES["hex"], *AXES["square"], SHEET}
    for overlay in overlays:
        given, _ = read_files(path.resolve(), with_bases(path.resolve(), [overlay]) if overlay else [])
        done = run_all_passes(given, path.name, (2, 4), (), ALL_ERRATA)
        index = NameIndex(given, analysis_of(given, done))
        kept = {(n.span.file, n.span.end) for n in walk(done.files)}  # what an overlay replaces is not analysed
        sources = {source.file: source for source in index.rule_sources()}
        lines = ((s.file, s.place(n.span.start)[0]) for n in walk(done.files) if (s := sources.get(n.span.file)))
        kept_lines = set(lines)  # an overlay may drop what only lines name that it replaces
        menus = {name for routines in [index.analysis.model.menus if index.analysis else {}] for name in routines}
        seats = {f"p{n}" for n in range(1, 13)}
        for source in index.rule_sources():
            for m in index.names_in(source).mentions:
                symbols = index.resolve(m)
                place = f"{source.file}:{source.place(m.span.start)[0]}: {m.name}"
                sorts = {s.sort for s in symbols}
                # Members of several kinds are told apart by types, and in a ruling cases of several choices as well.
                several = sorts == {"member"} or source.file.endswith(".ruling") and sorts == {"case"}
                # Under an overlay rulings for other seats are left out.
                left_out = source.file.endswith(".ruling") or (source.file, m.span.end) not in kept
                several |= overlay is not None and left_out
                assert len(symbols) <= 1 or several, f"{place} means {symbols}"
                silent = m.role in ("quoted", "any", "layer") or source.file.endswith((".errata", ".variant"))
                silent |= overlay is not None and (source.file, source.place(m.span.start)[0]) not in kept_lines
                if not symbols and not silent:
                    assert m.name in free | menus | seats or source.file.endswith(".ruling"), place


def test_fields_of_one_name_belong_to_their_kinds() -> None:
    index = name_index()
    first = index.name_at("game.rules", offset("p.luck + sum", 2))
    second = index.name_at("game.rules", offset("c.luck)", 2))
    assert first is not None and [s.owner for s in first[2]] == ["Seat"]
    assert second is not None and [s.owner for s in second[2]] == ["Crate"]


def test_they_are_told_apart_in_a_text_that_was_changed_since_the_check() -> None:
    given = texts()
    checked = analyse(given, "test")
    changed = GAME.replace("option long: bool = false\n", "option long: bool = false\noption very_long: bool = (\n")
    index = NameIndex(texts(changed), checked)
    found = index.name_at("game.rules", offset("c.luck)", 2, changed))
    assert found is not None and [s.owner for s in found[2]] == ["Crate"]


def test_without_any_check_all_that_it_may_be_is_told() -> None:
    found = NameIndex(texts(), None).name_at("game.rules", offset("p.luck + sum", 2))
    assert found is not None and {s.owner for s in found[2]} == {"Seat", "Crate"}


@pytest.mark.parametrize(
    "before, now, offsets",
    [
        ("abcdef", "abcXdef", {2: 2, 3: 3, 4: 3, 7: 6}),
        ("abcdef", "abef", {2: 2, 3: 5, 4: 6}),
        ("aaaa", "aaaaa", {0: 0, 5: 4}),
        ("same", "same", {0: 0, 4: 4}),
    ],
)
def test_drift(before: str, now: str, offsets: dict[int, int]) -> None:
    offset_map = OffsetMap(before, now)
    assert {at: offset_map(at) for at in offsets} == offsets


def test_drift_knows_no_place_for_what_was_written_since() -> None:
    assert OffsetMap("abcdef", "abXYef")(3) == -1


# ---------------------------------------------------------------- hover and completion


def test_hover_of_a_member_tells_title_and_enum() -> None:
    index = name_index()
    found = hover(index, "game.rules", offset("apple: c.luck", 1), "en")
    assert found is not None
    assert "**apple**" in found[1] and "a member of `Fruit`" in found[1] and "enum Fruit: apple, pear" in found[1]


@pytest.mark.parametrize("lang, title", [("ja", "**AB-1** 一つ取る"), ("en", "**AB-1** Take one")])
def test_hover_of_a_clause_tells_its_title_in_the_language(lang: str, title: str) -> None:
    rules = GAME.replace("procedure pick(p: Seat)", "procedure pick(p: Seat) [AB-1]")
    given = texts(
        rules,
        **{
            "clauses.yaml": 'AB-1: {title: "Take one", source: "page 3"}\n',
            "locale/ja.yaml": "clause.AB-1: 一つ取る\n",
        },
    )
    found = hover(NameIndex(given, analyse(given, "test")), "game.rules", offset("[AB-1]", 2, rules), lang)
    assert found is not None and found[1] == f"{title}\n\npage 3"


def test_completion_knows_a_name_that_is_bound_on_the_same_line() -> None:
    rules = GAME + "value lucky(q: Seat): int = sum(c in Crate where c.\n"
    found = {item.label for item in complete(name_index(rules), "game.rules", len(rules) - 1)}
    assert {"holds", "luck"} <= found and "basket" not in found


NAMED = GAME.replace(
    "phase game",
    """value best(p: Seat): int
    let rest = seats - {p}
    let luck = sum(q in rest: q.luck)
    = luck + size(rest)
phase game""",
)


def test_names_of_a_value_are_known_in_the_lines_after_them() -> None:
    index = name_index(NAMED)
    at = offset("= luck + size(rest)", 2, NAMED)
    here = {item.label: item for item in complete(index, "game.rules", at)}
    assert here["rest"].sort == here["luck"].sort == "local" and here["rest"].detail == "set of Seat"
    assert "rest" not in {item.label for item in complete(index, "game.rules", offset("{p}\n", 1, NAMED))}
    given = texts(NAMED)
    edits = rename(given, [], "test", "game.rules", at, "fortune")
    changed = apply_edits(given, edits).all()["game.rules"].text
    assert "let fortune = sum(q in rest: q.luck)\n    = fortune + size(rest)" in changed
    assert changed.count("luck") == NAMED.count("luck") - 2


def test_completion_of_members_behind_their_enum() -> None:
    rules = GAME + "value one: Fruit = Fruit.\n"
    assert [i.label for i in complete(name_index(rules), "game.rules", len(rules) - 1)] == ["apple", "pear"]


def test_nothing_is_completed_in_comments_and_texts() -> None:
    for end in ("# a comment ab", 'card x "A title'):
        rules = GAME + end
        assert complete(name_index(rules), "game.rules", len(rules)) == []


# ---------------------------------------------------------------- renaming


def test_rename_of_a_field_leaves_the_other_kind_alone() -> None:
    rules = after("fortune", "field luck: 0..9\nkind Crate", 6)["game.rules"]
    assert "p.fortune + sum(c in Crate where c.holds is apple: c.luck)" in rules
    assert rules.count("fortune") == 2


def test_rename_of_a_member_changes_data_and_texts() -> None:
    files = after("plum", "apple, pear")
    assert "enum Fruit: plum, pear" in files["game.rules"] and "c.holds is plum" in files["game.rules"]
    assert "red: {holds: plum}" in files["data/crates.yaml"]
    assert files["locale/en.yaml"].startswith("Fruit: {plum: apple, pear: pear}")  # its title stays


COPIES = (
    GAME
    + """\
card green "Green one": Crate
    copies: 3
    holds: apple
ruling green_3_is_full "a copy is named by its id"
    expect
        green_3.luck: 0
        green.luck: 0
"""
)


def test_hover_of_a_copy_is_that_of_its_card() -> None:
    index = name_index(COPIES)
    found = hover(index, "game.rules", offset("green_3.luck", 1, COPIES), "en")
    assert found is not None and found[1].startswith("**Green one**") and 'card green "Green one"' in found[1]
    assert "a member of `Crate`, copy 3 of 3 of `green`" in found[1]
    found = hover(index, "game.rules", offset("card green", 6, COPIES), "en")
    assert found is not None and "3 copies: `green`, `green_2`, `green_3`" in found[1]


def test_rename_of_a_card_changes_the_ids_of_its_copies() -> None:
    given = texts(COPIES)
    edits = rename(given, [], "test", "game.rules", offset("card green", 6, COPIES), "olive")
    (now,) = apply_edits(given, edits).rules
    assert "card olive" in now.text and "        olive_3.luck: 0\n        olive.luck: 0\n" in now.text
    assert "green_3_is_full" in now.text
    with pytest.raises(RenameRefused, match="written nowhere as a name of its own"):
        rename(given, [], "test", "game.rules", offset("green_3.luck", 1, COPIES), "last")


def test_completion_knows_what_copies_have() -> None:
    text = COPIES.replace("        green.luck: 0\n", "        green.\n")
    found = {i.label: i.detail for i in complete(name_index(text), "game.rules", offset("green.\n", 6, text))}
    assert found["original"] == "Crate" and "copy" in found
    text = COPIES.replace("    copies: 3\n", "    c\n")
    assert "copies" in [i.label for i in complete(name_index(text), "game.rules", offset("    c\n", 5, text))]


def test_rename_of_a_constant_changes_the_keys_of_records() -> None:
    files = after("contents", "holds: Fruit")
    assert files["data/crates.yaml"] == "Crate:\n  red: {contents: apple}\n  blue: {contents: pear}\n"
    assert "c.contents is apple" in files["game.rules"]


def test_rename_of_a_choice_and_its_routine_change_their_address() -> None:
    assert (
        "pick.g: {ask: 'Which?', pick: '{g}', done: '{actor} picks {g}'}"
        in after("g", "f in Fruit where")["locale/en.yaml"]
    )
    files = after("take", "pick(p: Seat)")
    assert "do take(p)" in files["game.rules"] and "take.f: {ask" in files["locale/en.yaml"]


def test_rename_of_a_name_that_is_not_asked_leaves_the_texts_of_a_choice_with_the_same_name() -> None:
    rules = "kind Card: 3\nzone deck: Card\nphase deal\n"
    rules += "    for every c in Card: move c to deck\n    choose c in deck by p1\n"
    given = FileTexts()
    given.add("game.rules", Source("game.rules", rules))
    given.add("locale/en.yaml", Source("locale/en.yaml", "deal.c: {ask: 'Which?', pick: '{c}'}\n"))
    for words, text in (
        ("c in Card", "deal.c: {ask: 'Which?', pick: '{c}'}\n"),
        ("c in deck", "deal.other: {ask: 'Which?', pick: '{other}'}\n"),
    ):
        edits = rename(given, [], "test", "game.rules", rules.index(words), "other")
        assert apply_edits(given, edits).locale["en"].text == text


@pytest.mark.parametrize(
    "words, new, reason",
    [
        ("worth(p", "tree", "`tree` is taken: it is in game.rules:11"),
        ("p: Seat): int", "tree", "the name `tree` is a zone"),
        ("tree: piece_of", "f", "`f` is taken"),  # it would be hidden where `f` is chosen
        ("f in Fruit where", "p", "`p` is taken"),
        ("apple, pear", "pear", "`pear` is taken"),
        ("worth(p", "choose", "a word of the language"),
        ("worth(p", "owner", "a word of the language"),
        ("worth(p", "9lives", "is no name"),
    ],
)
def test_rename_refuses(words: str, new: str, reason: str) -> None:
    with pytest.raises(RenameRefused, match=reason):
        rename(texts(), [], "test", "game.rules", offset(words), new)


def test_members_of_two_enums_with_one_id_are_told_apart_or_refused() -> None:
    rules = GAME.replace("enum Fruit: apple, pear", "enum Fruit: apple, pear\nenum Tree: apple, oak")
    given = texts(rules)
    edits = rename(given, [], "test", "game.rules", offset("apple, oak", 0, rules), "elm")
    assert apply_edits(given, edits).all()["game.rules"].text == rules.replace("apple, oak", "elm, oak")
    ruling = 'ruling R1 "it may be either"\n    when\n        p1 chooses apple\n'
    with pytest.raises(RenameRefused, match="`apple` in r.ruling:3 may mean several things: member of `Fruit`, member"):
        rename(texts(rules, **{"r.ruling": ruling}), [], "test", "game.rules", offset("apple, oak", 0, rules), "elm")


@pytest.mark.parametrize("ruleset, file, words, new", [
    ("tic_tac_toe", "rules", "value ", "renamed_value"),
    ("love_letter", "cards", "card ", "renamed_card"),
    ("love_letter", "rules", "procedure ", "renamed_procedure"),
    ("connect_four", "rules", "kind ", "RenamedKind"),
])  # fmt: skip
def test_a_game_plays_as_before_under_new_names(ruleset: str, file: str, words: str, new: str, tmp_path: Path) -> None:
    """A copy of the ruleset with the name changed in all files: it checks clean, and its rulings hold."""
    given, _ = read_files((Path("rulesets") / ruleset).resolve(), [])
    source = next(s for s in given.rules if s.file.endswith(file) and f"\n{words}" in s.text and "bots" not in s.file)
    edits = rename(given, [], ruleset, source.file, source.text.index(f"\n{words}") + 1 + len(words), new)
    assert len(edits) > 1
    assert failed_rulings(apply_edits(given, edits), ruleset, tmp_path) == []
    assert any(new in p.read_text(encoding="utf-8") for p in tmp_path.rglob("*.*"))


def failed_rulings(given: FileTexts, ruleset: str, folder: Path) -> list[str]:
    """Those that fail when the texts are put into a folder and played."""
    for name, source in given.all().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(source.text, encoding="utf-8")
    game = load(folder / "rulesets" / ruleset)
    assert game.program.rulings
    return [name for name, ruling in game.program.rulings.items() if not run_ruling(game, ruling).passed]


@pytest.mark.soak
@pytest.mark.parametrize("ruleset", ["nim", "kuhn_poker"])
def test_whatever_is_renamed_the_game_stays(ruleset: str, tmp_path: Path) -> None:
    """Every name of a ruleset, one after the other. Refused are only those that the language itself asks for."""
    given, _ = read_files((Path("rulesets") / ruleset).resolve(), [])
    index = NameIndex(given, analyse(given, ruleset))
    locals_ = {
        m.symbol: [m.span] for s in index.rule_sources() for m in index.names_in(s).mentions if m.binding and m.symbol
    }
    fixed = {"game", "Cause", "Seat", "Heap"}  # of Heap the members are numbered and have places on the screen
    for number, (symbol, places) in enumerate([*index.declared_at.items(), *locals_.items()]):
        numbered = any(given.all()[p.file].text[p.start : p.end] != symbol.name for p in places)
        if numbered or symbol.sort in ("step", "case", "ruling") or symbol.name in fixed:
            continue
        edits = rename(given, [], ruleset, places[0].file, places[0].start, f"other_{symbol.name}")
        assert failed_rulings(apply_edits(given, edits), ruleset, tmp_path / str(number)) == [], symbol


# ---------------------------------------------------------------- broken texts


@pytest.mark.parametrize("seed", range(6))
def test_damaged_texts_are_answered(seed: int) -> None:
    """Whatever is typed, a question has an answer; the parts of the text that are whole are still known."""
    chance = random.Random(seed)
    checked = analyse(texts(), "test")
    marks = ("", "(", ":", "x.", "\n", " in ", "[", '"', "{", "\t", "日本🐟", "card x", "kind")
    for _ in range(40):
        text = GAME
        for _ in range(2):
            at = chance.randrange(len(text))
            text = text[:at] + chance.choice(marks) + text[at + chance.choice((0, 1, 5, 60)) :]
        index = NameIndex(texts("enum Whole: one\n\n" + text), checked)
        for _ in range(5):
            at = chance.randrange(len(text))
            hover(index, "game.rules", at, "en")
            complete(index, "game.rules", at)
            found = index.name_at("game.rules", at)
            for symbol in found[2] if found else ():
                assert all(isinstance(span.file, str) for span, _, _ in index.uses(symbol))
        first = index.name_at("game.rules", 6)
        assert first is not None and first[1] == "Whole"


UNION = """
kind Seat
    zone purse: coin
kind Camp: 2
kind Rope: 2
kind Place: Camp, Rope
    field guests: 0..9
    zone stones: coin
    strip reward
piece coin
icon earn: gain 1 coin by you
card flag "Flag": Camp
    strip reward: earn
card knot "Knot": Rope
    strip reward: earn
phase game
    choose c in Camp by p1
    do c.reward by p1
    set c.guests to 2
    for every x in Place where x.guests > 1: gain 1 coin by p1 to x.stones
"""


def test_what_stands_below_a_union_is_one_name_for_all_of_its_members() -> None:
    given = texts(UNION)
    for old, new, words in (("guests", "visitors", "c.guests"), ("stones", "pebbles", "x.stones")):
        edits = rename(given, [], "test", "game.rules", offset(words, 2, UNION), new)
        assert apply_edits(given, edits).all()["game.rules"].text == UNION.replace(old, new)
    index = name_index(UNION)
    found = hover(index, "game.rules", offset("c.guests", 2, UNION), "en")
    assert found is not None and "field guests: 0..9" in found[1]
    for words in ("    strip reward\n", "strip reward: earn\ncard", "c.reward"):
        meant = index.name_at("game.rules", offset(words, words.index("reward"), UNION))
        assert meant is not None and [(s.sort, s.owner) for s in meant[2]] == [("strip", "Place")]


LATTICE = """\
lattice Spot: hex by -2..2, -2..2 wraps
    field mark: 0..3
kind Seat
    field at: Spot or none
value home(): Spot = Spot(1, -2)
phase game
    choose c in Spot(0, 0).next by p1
    set p1.at to c
    if p1.at is home: set c.mark to 1
"""


def test_the_cells_of_a_lattice_are_renamed_with_it_and_clutter_no_list() -> None:
    given, index = texts(LATTICE), name_index(LATTICE)
    (now,) = apply_edits(
        given, rename(given, [], "test", "game.rules", offset("lattice Spot", 9, LATTICE), "Cell")
    ).rules
    assert now.text == LATTICE.replace("Spot", "Cell")
    found = hover(index, "game.rules", offset("Spot(1", 1, LATTICE), "en")
    assert found is not None and "lattice Spot: hex by -2..2, -2..2 wraps" in found[1]
    labels = [i.label for i in complete(index, "game.rules", offset("home()", 0, LATTICE))]
    assert "Spot" in labels and not any(label.startswith("spot_") for label in labels)
    behind = {i.label: i.detail for i in complete(index, "game.rules", offset("c.mark", 2, LATTICE))}
    assert behind["next"] == "set of Spot" and behind["q"] == "-2..2"
