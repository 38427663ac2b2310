"""Hints for tools: the shape of `display.yaml` and the names in it."""

from __future__ import annotations

import pytest

from dsl.base.span import Source
from dsl.driver.load import check_texts

RULES = """\
enum Mood: glad, sad
kind Cat: 2
    field mood: Mood or none
    field age: 0..9
phase game
    for every c in Cat: set c.mood to glad
    for every c in Cat: do nap(c)
    offer jumping by p1 or decline
    if any(c in Cat where c.mood is sad and c.age > 3): stop game
value oldest: int = max(c in Cat: c.age)
value likes(c: Cat, p: Seat): bool = c.age > 3 and p is p1
value liked(p: Seat, c: Cat): bool = likes(c, p)
value close(c: Cat, d: Cat): bool = c is d
zone nest: Cat
enum Cause: meal
procedure nap(c: Cat)
    set c.age to 1
action leap(p: Seat) of jumping
    set p1.leapt to true
kind Seat
    field leapt: bool
value friends(c: Cat): set of Cat = {c}
"""
DISPLAY = """\
members:
    Mood: {glad: {glyph: G, colour: "#00ff00"}, sad: {glyph: 3}}
map:
    scale: [4, 1]
    narrowest: 3
    layers:
        - kind: Cat
          at: {cat_1: [0, -2], cat_2: [4, 0]}
          shape: box
          size: [3, 2]
          regions: {yard: [cat_1]}
          show_if: mood
          colour: mood
          blank: "{id}"
          lines: [[{of: id}, {of: mood, as: glyph, label: "*"}], [age]]
panels:
    - {id: cats, per: Cat, where: mood, columns: [age]}
    - {id: moods, group: Cat, by: mood, cells: [{of: age, as: number}]}
    - {id: all, show: [oldest, {of: nest, as: counts, by: mood}]}
    - {id: ages, per: Cat, where: mood, track: age, borders: [age], labels: age}
    - {id: known, per: Cat, where: likes, rows: [age, [{of: mood, where: likes, label: some.text}, liked]]}
preview: [age, oldest, friends]
told:
    - {id: moody, per: Cat, change: mood}
    - {id: came, come: [nest]}
    - {id: ran, run: [game], without: [nap]}
    - {id: aged, per: Cat, changes: [age, mood], during: [nap]}
    - {id: fed, per: Cat, change: age, as: [meal]}
confirm: [leap]
"""


def found(display: str) -> list[tuple[int, str, str]]:
    """(line, code, message and help) of every fault."""
    source = Source("display.yaml", display)
    diagnostics = check_texts({"state.rules": RULES}, data={"display.yaml": display})
    return [(source.place(d.span.start)[0], d.code, f"{d.message} {d.help}") for d in diagnostics]


def test_a_whole_file_is_accepted() -> None:
    assert found(DISPLAY) == []


def test_what_only_the_display_reads_is_used() -> None:
    """A constant that says where a thing is drawn, and one that is only shown."""
    rules = RULES.replace("field age", "const column: 0..9\n    const row: 0..9\n    const weight: 0..9\n    field age")
    manifest = "id: cats\nversion: 1\ntitle: {en: Cats}\nseats: 2\nload: [state.rules]\n"
    data = {
        "ruleset.yaml": manifest,
        "display.yaml": DISPLAY.replace("{cat_1: [0, -2], cat_2: [4, 0]}", "[column, row]"),
    }

    def idle() -> list[str]:
        return [d.message.split("`")[1] for d in check_texts({"state.rules": rules}, data=data) if d.code == "RW1105"]

    assert idle() == ["Cat.weight"]
    data["display.yaml"] = data["display.yaml"].replace("columns: [age]", "columns: [weight]")
    assert idle() == []


@pytest.mark.parametrize(
    ("old", "new", "line", "code", "words"),
    [
        ("panels:", "panel:", 16, "RW0310", "did you mean `panels`?"),
        ("layers:", "layres:", 6, "RW0310", "did you mean `layers`?"),
        ("glyph: G", "glif: G", 2, "RW0310", "one of `glyph`, `colour`"),
        ('"#00ff00"', "green", 2, "RW0312", "expected a colour"),
        ("scale: [4, 1]", "scale: 4", 4, "RW0312", "expected a list"),
        ("scale: [4, 1]", "scale: [0, 1]", 4, "RW0313", "at least 1"),
        ("[0, -2]", "[0, low]", 8, "RW0312", "expected a position"),
        ("[0, -2]", "[0, -10000]", 8, "RW0313", "[0, -10000] lies more than 9999 units away"),
        ("shape: box", "shape: bax", 9, "RW0314", "did you mean `box`?"),
        ("narrowest: 3", "narrowest: 0", 5, "RW0313", "at least 1"),
        ("size: [3, 2]", "size: [3]", 10, "RW0312", "at least 2"),
        ("yard: [cat_1]", "yard: [cat_3]", 11, "RW0360", "member of `Cat` `cat_3`"),
        ("as: counts, by: mood", "as: counts, buy: mood", 19, "RW0310", "did you mean `by`?"),
        ("as: counts, by: mood", "as: counts, by: moot", 19, "RW0360", "did you mean `mood`?"),
        ("track: age", "track: aeg", 20, "RW0360", "did you mean `age`?"),
        ("track: age", "track: oldest", 20, "RW0313", "has more than 1000 spaces"),
        ("track: age", "track: {of: friends}", 20, "RW0312", "`friends` is no number"),
        ("borders: [age]", "borders: [aeg]", 20, "RW0360", "did you mean `age`?"),
        ("labels: age", "labels: aeg", 20, "RW0360", "did you mean `age`?"),
        ("as: glyph", "as: glyhp", 15, "RW0314", "did you mean `glyph`?"),
        ("{of: id}", "{off: id}", 15, "RW0310", "did you mean `of`?"),
        ("{of: id}", "{as: id}", 15, "RW0311", "does not say what is shown"),
        ("[age]]", "[[age]]]", 15, "RW0312", "expected a name"),
        ("id: all, ", "", 19, "RW0311", "has no `id`"),
        ("kind: Cat", "kind: Cot", 7, "RW0360", "did you mean `Cat`?"),
        ("cat_2: [4, 0]", "cat_3: [4, 0]", 8, "RW0360", "member of `Cat` `cat_3`"),
        ("show_if: mood", "show_if: moot", 12, "RW0360", "did you mean `mood`?"),
        ("per: Cat", "per: Cats", 17, "RW0360", "did you mean `Cat`?"),
        ("by: mood", "by: food", 18, "RW0360", "did you mean `mood`?"),
        ("[oldest,", "[odlest,", 19, "RW0360", "did you mean `oldest`?"),
        ("where: likes, rows", "where: close, rows", 21, "RW0360", "there is no name `close`"),
        ("rows: [age", "rows: [aeg", 21, "RW0360", "did you mean `age`?"),
        ("where: likes, label", "where: liks, label", 21, "RW0360", "did you mean `likes`?"),
        ("id: came, ", "", 25, "RW0311", "has no `id`"),
        ("change: mood", "change: moot", 24, "RW0360", "did you mean `mood`?"),
        ("come: [nest]", "come: [nets]", 25, "RW0360", "did you mean `nest`?"),
        (
            "without: [nap]",
            "without: [nab]",
            26,
            "RW0360",
            "there is no routine `nab` to report did you mean `nap`?",
        ),
        ("run: [game]", "run: [Cot.effect]", 26, "RW0360", "no routine `Cot.effect`"),
        ("run: [game]", "run: [Cat.marks]", 26, "RW0360", "no routine `Cat.marks`"),
        ("during: [nap]", "during: [nest]", 27, "RW0360", "no routine `nest`"),
        ("changes: [age", "changes: [aeg", 27, "RW0360", "did you mean `age`?"),
        ("as: [meal]", "as: [deal]", 28, "RW0360", "there is no cause `deal` to report did you mean `meal`?"),
        (
            "confirm: [leap]",
            "confirm: [leep]",
            29,
            "RW0360",
            "there is no action `leep` to be confirmed did you mean `leap`?",
        ),
        ("preview: [age", "preview: [aeg", 22, "RW0360", "did you mean `age`?"),
        ("Mood: {glad", "Mood: {galf", 2, "RW0360", "member of `Mood` `galf`"),
    ],
)
def test_one_mistake_is_one_message_at_its_line(old: str, new: str, line: int, code: str, words: str) -> None:
    assert old in DISPLAY
    ((at, read, message),) = found(DISPLAY.replace(old, new, 1))
    assert (at, read) == (line, code)
    assert words in message


PICTURES = DISPLAY.replace("scale: [4, 1]", "unit: [30, 26]").replace("nest, as: counts", "nest, as: face")
PICTURES = PICTURES.replace("{glyph: 3}", "{glyph: 3, icon: star, pattern: dots}")
PICTURES = PICTURES.replace("columns: [age]", "columns: [age], as: face")
PICTURES = PICTURES.replace(
    "          colour: mood\n",
    "          colour: mood\n"
    + """\
          picture: {shape: circle, size: [3, 2], shift: [0, -1], ground: "#112233", colour: mood, lines: [[age]]}
""",
    1,
)
PICTURES = PICTURES.replace(
    "preview:",
    """\
    - {id: points, per: Cat, track: [0, 12, 4], at: age, side: top, title: Race}
    - {id: until, per: Cat, track: [0, oldest], at: age}
    - {id: line, group: Cat, by: mood, cells: [age], flow: line}
preview:""",
    1,
)
PICTURES += """\
faces:
    Cat: {colour: "#00ff00", band: mood, corner: age, facts: [{of: age, label: years}, oldest]}
"""


def test_what_is_for_pictures_alone_is_accepted() -> None:
    assert found(PICTURES) == []


@pytest.mark.parametrize(
    ("old", "new", "line", "code", "words"),
    [
        ("icon: star", "icon: stra", 2, "RW0314", "`stra` is not an icon did you mean `star`?"),
        ("pattern: dots", "pattern: dotz", 2, "RW0314", "`dotz` is not a pattern did you mean `dots`?"),
        ("nest, as: face", "nest, as: fase", 20, "RW0314", "did you mean `face`?"),
        ("as: face}\n    - {id: moods", "as: row}\n    - {id: moods", 18, "RW0314", "`row` is not a form of a panel"),
        ("unit: [30, 26]", "unit: [30]", 4, "RW0312", "at least 2"),
        ("unit: [30, 26]", "unit: [30, 0]", 4, "RW0313", "at least 1"),
        ("Cat: {colour", "Cot: {colour", 35, "RW0360", "there is no kind `Cot` to be shown did you mean `Cat`?"),
        ("band: mood", "band: moot", 35, "RW0360", "did you mean `mood`?"),
        ("corner: age", "corner: aeg", 35, "RW0360", "did you mean `age`?"),
        ("facts: [{of: age", "facts: [{of: aeg", 35, "RW0360", "did you mean `age`?"),
        ("facts: [{of", "facst: [{of", 35, "RW0310", "did you mean `facts`?"),
        ("shape: circle", "shape: circel", 14, "RW0314", "`circel` is not a shape did you mean `circle`?"),
        ("size: [3, 2], shift", "size: [3], shift", 14, "RW0312", "at least 2"),
        ("size: [3, 2], shift", "size: [small, 2], shift", 14, "RW0312", "expected a whole number"),
        ("shift: [0, -1]", "shaft: [0, -1]", 14, "RW0310", "did you mean `shift`?"),
        ('ground: "#112233"', "ground: green", 14, "RW0312", "expected a colour"),
        ("colour: mood, lines", "colour: moot, lines", 14, "RW0360", "did you mean `mood`?"),
        ("lines: [[age]]}", "lines: [[aeg]]}", 14, "RW0360", "did you mean `age`?"),
        ("at: age, side", "at: aeg, side", 23, "RW0360", "did you mean `age`?"),
        ("at: age, side", "side", 23, "RW0311", "does not say where the markers are"),
        ("track: [0, 12, 4], at", "at", 23, "RW0310", "`at` only beside the spaces of a track"),
        ("track: [0, 12, 4]", "track: age", 23, "RW0310", "`at` only beside the spaces"),
        ("track: [0, 12, 4]", "track: [0]", 23, "RW0312", "the spaces of a track"),
        ("track: [0, 12, 4]", "track: [0, 12, 0]", 23, "RW0313", "below 1"),
        ("track: [0, 12, 4]", "track: [12, 0]", 23, "RW0313", "has no spaces"),
        ("track: [0, 12, 4]", "track: [0, 1000]", 23, "RW0313", "from 0 to 1000 has more than 1000 spaces"),
        ("track: [0, oldest]", "track: [0, odlest]", 24, "RW0360", "did you mean `oldest`?"),
        ("side: top", "side: tpo", 23, "RW0314", "`tpo` is not a side did you mean `top`?"),
        ("flow: line", "flow: lime", 25, "RW0314", "`lime` is not a flow did you mean `line`?"),
        (
            "group: Cat, by: mood, cells: [age], flow",
            "per: Cat, columns: [age], flow",
            25,
            "RW0310",
            "if it has groups",
        ),
        ("unit: [30, 26]", "image: board.svg", 4, "RW0314", "`board.svg` is not a drawing"),
        ("unit: [30, 26]", "image: pictures/board.svg", 4, "RW0361", "there is no drawing `pictures/board.svg`"),
        ("icon: star", "icon: pictures/sun.svg", 2, "RW0361", "there is no drawing `pictures/sun.svg`"),
    ],
)
def test_one_mistake_in_what_is_for_pictures(old: str, new: str, line: int, code: str, words: str) -> None:
    assert old in PICTURES
    ((at, read, message),) = found(PICTURES.replace(old, new, 1))
    assert (at, read) == (line, code)
    assert words in message


LATTICE_RULES = (
    RULES
    + """\
lattice Yard: hex by 0..3, 0..3, 1..2
lattice Square: square by 0..3, 0..3
kind Dog: 2
    field at: Yard or none
    field runs: set of Square
value kennel(d: Dog): Yard = Yard(0, 0, 1)
"""
)


@pytest.mark.parametrize(
    ("layer", "code", "words"),
    [
        ("{kind: Dog, on: at}", "", ""),
        ("{kind: Dog, on: kennel, shape: hex}", "", ""),
        ("{kind: Dog, on: runs}", "", ""),
        ("{kind: Yard, shape: hex}", "", ""),
        ("{kind: Dog, on: aat}", "RW0360", "that gives a cell `aat` to draw it on did you mean `at`?"),
        ("{kind: Cat, on: mood}", "RW0360", "there is no field or value of `Cat` that gives a cell `mood`"),
        ("{kind: Dog}", "RW0311", "says not where its things are"),
        ("{kind: Dog, on: at, at: {dog_1: [0, 0]}}", "RW0310", "says twice where its things are"),
        ("{kind: Yard, on: at}", "RW0310", "are where their coordinates say"),
        ("{kind: Square, shape: hex}", "RW0314", "the cells of `Square` are squares"),
    ],
)
def test_layers_on_lattices(layer: str, code: str, words: str) -> None:
    display = f"map: {{layers: [{layer}]}}\n"
    found = [
        d
        for d in check_texts({"small.rules": LATTICE_RULES}, {"display.yaml": display})
        if d.span.file == "display.yaml"
    ]
    assert [d.code for d in found] == ([code] if code else [])
    assert all(words in f"{d.message} {d.help}" for d in found)
