"""Small games with a display of their own, for tests of pictures; and what is in a picture, read back from it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from interpreter import State, view
from tests.concepts.play import start
from tools.picture.model.data import Picture
from tools.picture.model.position import picture_of

RULES = """
enum Ground: meadow, marsh
kind Field from "data/fields.yaml"
    field ground: Ground or none
    field keeper: Seat or none
kind Card from "data/cards.yaml"
    const price: 0..9
    const hue: Ground
zone deck: Card ordered seen by nobody
zone market: Card
kind Seat
    zone hand: Card seen by owner
    field coins: 0..20
phase game
    for every c in Card: move c to deck
    move apple from deck to market
    shuffle deck
    move front(deck) to p1.hand
    move front(deck) to p2.hand
    set f1.ground to meadow
    set f2.ground to marsh
    set f1.keeper to p2
    set p1.coins to 7
    choose n in 1..2 by p1
"""
FIELDS = "Field: {f1: {}, f2: {}, f3: {}}\n"
CARDS = """
Card:
  apple: {price: 3, hue: meadow}
  pear: {price: 4, hue: marsh}
  plum: {price: 5, hue: marsh}
  fig: {price: 6, hue: marsh}
"""
DISPLAY = """
members:
  Ground:
    meadow: {glyph: Me, colour: "#5fb04f"}
    marsh: {glyph: Ma, colour: "#79c6e8"}
map:
  scale: [4, 1]
  layers:
    - kind: Field
      shape: hex
      show_if: ground
      blank: "{id}"
      colour: ground
      lines: [[{of: id, as: text}, {of: keeper, as: glyph, label: "*"}], [{of: ground, as: text}]]
      at: {f1: [0, 0], f2: [3, 2], f3: [0, 4]}
panels:
  - {id: stores, per: Seat, columns: [coins, {of: hand, as: row}]}
  - {id: market, show: [{of: market, as: row}, {of: deck, as: total}]}
  - {id: by_ground, group: Card, by: hue, cells: [{of: id, as: text}, price]}
"""
LOCALE = """
Seat: {p1: Anna, p2: Bert}
Card: {apple: Apple, pear: Pear, plum: Plum, fig: Fig}
Card.apple.text: Take two coins.
Ground: {meadow: meadow, marsh: marsh}
Field: {f1: North, f2: South, f3: West}
display.stores: Stores
"""
SVG = "{http://www.w3.org/2000/svg}"


def state(display: str = DISPLAY, locale: str = LOCALE, rules: str = RULES) -> State:
    files = {"display.yaml": display, "locale/en.yaml": locale, "data/fields.yaml": FIELDS, "data/cards.yaml": CARDS}
    return start(rules, files)


def hand(position: State, seat: int) -> str:
    """The id of the card in the hand of a seat."""
    (found,) = view(position, seat)["state"]["Seat.hand"][f"p{seat}"]
    return str(found)


def picture(seat: int | None = 1, **changes: str) -> Picture:
    return picture_of(state(**changes), seat, "en")


def texts(svg: str) -> list[str]:
    """What is written in a picture, without what is shown to whoever points at something."""
    return ["".join(found.itertext()) for found in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def corners(svg: str) -> Iterator[tuple[float, float, float, float]]:
    """Left, top, right and bottom of each shape and text, in the units of the whole picture."""
    from tools.picture.render.measure import text_width

    def walk(node: ElementTree.Element, x: float, y: float) -> Iterator[tuple[float, float, float, float]]:
        moved = re.fullmatch(r"translate\((\S+) (\S+)\)", node.get("transform", ""))
        x, y = (x + float(moved[1]), y + float(moved[2])) if moved else (x, y)
        name, at = node.tag.removeprefix(SVG), {k: float(v) for k, v in node.attrib.items() if is_number(v)}
        if name == "rect":
            left, top = x + at.get("x", 0), y + at.get("y", 0)
            yield left, top, left + at["width"], top + at["height"]
        elif name == "circle":
            yield x + at["cx"] - at["r"], y + at["cy"] - at["r"], x + at["cx"] + at["r"], y + at["cy"] + at["r"]
        elif name == "polygon":
            points = [tuple(map(float, pair.split(","))) for pair in node.get("points", "").split()]
            yield (x + min(p[0] for p in points), y + min(p[1] for p in points),
                   x + max(p[0] for p in points), y + max(p[1] for p in points))  # fmt: skip
        elif name == "text":
            wide = text_width("".join(node.itertext()), at["font-size"], node.get("font-weight") == "600")
            left = x + at["x"] - {"middle": wide / 2, "end": wide}.get(node.get("text-anchor", ""), 0)
            yield left, y + at["y"] - at["font-size"], left + wide, y + at["y"]
        if name == "svg" and "x" in at:  # a drawing, which does not leave its room
            yield x + at["x"], y + at["y"], x + at["x"] + at["width"], y + at["y"] + at["height"]
        elif name not in ("defs", "style"):
            for child in node:
                yield from walk(child, x, y)

    yield from walk(ElementTree.fromstring(svg), 0, 0)


def size_of(svg: str) -> tuple[float, float]:
    """Width and height of a picture."""
    found = re.search(r'viewBox="0 0 (\S+) (\S+)"', svg)
    assert found is not None, "a picture says how large it is"
    return float(found[1]), float(found[2])


def check_inside(svg: str) -> None:
    """Nothing may lie outside of the picture."""
    width, height = size_of(svg)
    for left, top, right, bottom in corners(svg):
        assert left >= -1 and top >= -1 and right <= width + 1 and bottom <= height + 1, (left, top, right, bottom)


def is_number(text: str) -> bool:
    return re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text) is not None
