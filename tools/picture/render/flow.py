"""Parts of a model in lines: words, tokens, names with their token, cards; broken where a line is full.

Takes the parts and the picture that has their things; gives blocks of SVG with their size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, zip_longest
from typing import TypeAlias

from tools.html.elements import Html, joined, tag
from tools.picture.model.data import Picture, Thing
from tools.picture.render.cards import CARD_WIDTH, card, card_height
from tools.picture.render.measure import CUT, cut, text_width, words
from tools.picture.render.shapes import BASELINE, grouped, number, text_at
from tools.picture.render.tokens import token, token_width
from tools.shows.parts import CHIP, FACE, NAME, Part, Parts

LEADING = 1.55  # of the size of letters, the height of a line
TOKEN = 1.35  # of the size of letters, the height of a token
DOT = 1.1  # the same of one before a name
GAP, WORD = 6.0, 0.34  # between parts; between words, of the size of letters
SMALLEST = 9.0
ROW = 5.0  # between blocks below each other
COMMA = {"ja": "、"}

Draw = Callable[[float, float, float], Html]  # left, top, height of the line


@dataclass(frozen=True, slots=True)
class DrawnBlock:
    """Something drawn from its upper left corner at 0, 0."""

    width: float
    height: float
    html: Html


@dataclass(frozen=True, slots=True)
class Ink:
    """Size and colour of letters. `fill`: empty for that of the page; `halo`: the colour that they stand on."""

    size: float = 13.0
    fill: str = ""
    halo: str = ""
    bold: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class WordRun:
    """Words that belong together: those of them on one line are one text."""

    ink: Ink
    dim: bool
    about: tuple[str, ...]
    thing: str  # its key; empty: the words are about none

    def draw(self, text: str, x: float, y: float, height: float) -> Html:
        ink, class_ = self.ink, "soft" if self.dim else "ink"
        line = y + height / 2 + ink.size * BASELINE
        shown = text_at(x, line, text, ink.size, class_, ink.bold, fill=ink.fill, halo=ink.halo)
        if not self.thing:
            return shown
        return grouped(self.about if len(self.about) > 1 else (), shown, data_thing=self.thing)


@dataclass(frozen=True, slots=True)
class Item:
    """A piece that is not broken: its size, the space before it, and how it is drawn; or a word of a run. `keep`: the
    next one stands on the same line."""

    width: float
    height: float
    before: float
    draw: Draw | None = None
    word: str = ""
    run: WordRun | None = None
    keep: bool = False


def items(picture: Picture, parts: Parts, ink: Ink) -> Iterator[Item]:
    for at, part in enumerate(parts):
        before = GAP if at else 0.0
        follows = part.more and part.form in ("", NAME) and not part.dim
        yield from part_items(picture, part, ink, before, COMMA.get(picture.lang, ",") if follows else "")


def part_items(picture: Picture, part: Part, ink: Ink, before: float, comma: str) -> Iterator[Item]:
    """The items of a part; a text may be broken between its words."""
    thing = picture.things.get(part.thing)
    if thing is None:
        yield from word_items(part.counted, ink, before, part.dim)
    elif part.form == FACE and part.thing in picture.faces:
        made = card(picture, part)
        yield Item(CARD_WIDTH, card_height(picture, part) + 4, before, lambda x, y, _: shifted(made, x, y))
    elif part.form == CHIP:
        yield replace(token_item(picture, thing, ink, before, TOKEN), keep=part.count is not None)
        if part.count is not None:
            yield from word_items(str(part.count), ink, 2.0)
    else:
        if thing.colour and not ink.halo:
            known = thing if len(thing.mark) <= 2 or thing.icon in picture.drawings else replace(thing, mark="")
            yield replace(token_item(picture, known, ink, before, DOT), keep=True)
            before = 4.0
        yield from word_items(part.counted + comma, ink, before, about=(thing.name, *thing.about), key=thing.key)
        return
    if comma and thing is None:
        yield from word_items(comma, ink, 0.0)


def token_item(picture: Picture, thing: Thing, ink: Ink, before: float, scale: float) -> Item:
    size = ink.size * scale

    def draw(x: float, y: float, height: float) -> Html:
        return grouped((thing.name, *thing.about), token(picture, thing, x, y + height / 2, size), data_thing=thing.key)

    return Item(token_width(thing, size), ink.size * LEADING, before, draw)


def word_items(text: str, ink: Ink, before: float, dim: bool = False, about: Sequence[str] = (),
               key: str = "") -> Iterator[Item]:  # fmt: skip
    run = WordRun(ink, dim, tuple(about), key)
    for at, (word, spaced) in enumerate(words(text)):
        gap = before if not at else ink.size * WORD if spaced else 0.0
        shown = f" {word}" if at and spaced else word
        yield Item(text_width(word, ink.size, ink.bold), ink.size * LEADING, gap, word=shown, run=run)


def shifted(inside: Html, x: float, y: float) -> Html:
    return tag("g", inside, transform=f"translate({number(x)} {number(y)})")


def flow(found: Sequence[Item], width: float, indent: float = 0.0, centred: bool = False) -> DrawnBlock:
    """Items in lines of this width; lines after the first begin at `indent`; with `centred` in the middle."""
    lines = broken(found, width, indent)
    ends = [end_of(line) for line in lines]
    drawn: list[Html] = []
    top = 0.0
    for line, end in zip(lines, ends, strict=True):
        height = height_of(line)
        right = (max(ends) - end) / 2 if centred else 0.0
        drawn += line_drawn([(left + right, item) for left, item in line], top, height)
        top += height
    return DrawnBlock(max(ends), top, joined(drawn))


def room_of(found: Sequence[Item], width: float) -> tuple[float, float]:
    """Width and height of items in lines of this width, without drawing them."""
    lines = broken(found, width, 0.0)
    return max(map(end_of, lines)), sum(map(height_of, lines))


Line: TypeAlias = "list[tuple[float, Item]]"  # items, each with its left end


def broken(found: Sequence[Item], width: float, indent: float) -> list[Line]:
    """Items in lines of this width; lines after the first begin at `indent`."""
    lines: list[Line] = [[]]
    x = 0.0
    for item, after in zip_longest(found, found[1:]):
        left = x + (item.before if lines[-1] else 0.0)
        needed = item.width + (after.before + after.width if item.keep and after is not None else 0.0)
        if lines[-1] and left + needed > width:
            lines.append([])
            left = indent
        lines[-1].append((left, item))
        x = left + item.width
    return lines


def end_of(line: Line) -> float:
    return max([left + item.width for left, item in line], default=0.0)


def height_of(line: Line) -> float:
    return max([item.height for _, item in line], default=0.0)


def line_drawn(line: Sequence[tuple[float, Item]], top: float, height: float) -> Iterator[Html]:
    """The items of a line; words of one run that follow one another become one text."""
    for run, several in groupby(line, key=lambda pair: pair[1].run or pair[1]):
        found = list(several)
        if isinstance(run, WordRun):
            yield run.draw("".join(item.word for _, item in found).strip(), found[0][0], top, height)
            continue
        for left, item in found:
            if item.draw is not None:
                yield item.draw(left, top, height)


def stacked(blocks: Iterable[DrawnBlock], gap: float = ROW, indent: float = 0.0) -> DrawnBlock:
    """Blocks below each other; those after the first begin at `indent`."""
    drawn, y, width, left = [], 0.0, 0.0, 0.0
    for block in blocks:
        drawn.append(shifted(block.html, left, y))
        y += block.height + gap
        width = max(width, left + block.width)
        left = indent
    return DrawnBlock(width, max(y - gap, 0.0), joined(drawn))


def natural_width(picture: Picture, parts: Parts, ink: Ink) -> float:
    """The width of parts on one line."""
    return sum(item.before + item.width for item in items(picture, parts, ink))


def fitted(picture: Picture, parts: Parts, room: float, ink: Ink) -> DrawnBlock:
    """Parts on one line of this room: with letters for names where there is too little, then smaller, then cut."""
    marked = tuple(abbreviated(picture, part) for part in parts)
    if natural_width(picture, parts, ink) <= room:
        return flow([*items(picture, parts, ink)], 10_000)
    size = ink.size
    while size >= SMALLEST:
        smaller = replace(ink, size=size)
        if natural_width(picture, marked, smaller) <= room:
            return flow([*items(picture, marked, smaller)], 10_000)
        size -= 1.0
    return flow([*cut_items(picture, marked, room, replace(ink, size=SMALLEST))], 10_000)


def abbreviated(picture: Picture, part: Part) -> Part:
    """Letters for a name: those of its token, without one where it has no colour."""
    thing = picture.things.get(part.thing)
    if part.form != NAME or thing is None or not thing.mark:
        return part
    return replace(part, form=CHIP) if thing.colour else replace(part, text=thing.mark, thing="", form="")


def cut_items(picture: Picture, parts: Parts, room: float, ink: Ink) -> Iterator[Item]:
    """As many items as there is room for, and a sign that there are more."""
    if len(parts) == 1 and parts[0].form in ("", NAME):
        yield from word_items(cut(parts[0].text, room, ink.size, ink.bold), ink, 0.0, parts[0].dim)
        return
    used, dots = 0.0, text_width(CUT, ink.size)
    for item in items(picture, parts, ink):
        used += item.before + item.width
        if used + dots > room:
            yield from word_items(CUT, ink, 1.0, dim=True)
            return
        yield item
