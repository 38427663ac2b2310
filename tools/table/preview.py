"""A preview of an option: the values that `display.yaml` lists under `preview`, before and after it, else all that it
puts, moves and sets.

The option is carried out on a copy of the store as far as it is certain; the result is a line for each difference, as
the one who is asked sees it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.text import Text

from dsl import ir
from dsl.base.types import MemberType, Type
from interpreter import Option, State, copy
from interpreter.play.certain import certain_part
from interpreter.rules.layout import holders
from tools.shows.content import ByMember, Content, Hidden, Pieces, ShownValue
from tools.shows.messages import message
from tools.shows.presenter import Presenter
from tools.shows.words import content_text, name_text, show_text

MOST_LINES = 12
SHOWN = ("field", "zone", "slot", "pieces")  # sorts of entries that people see


@dataclass(frozen=True, slots=True)
class Preview:
    """The changes that an option makes, in lines; `whole`: chance, or something that its taker does not see, decides
    nothing of it."""

    lines: tuple[Text, ...]
    whole: bool


def preview(state: State, option: Option, lang: str) -> Preview:
    """The changes that an option would make, as far as they are certain. A fault of the rules that what is seen leads
    to is raised as RulesetError."""
    certain = certain_part(state, option)
    before, after = copy(state), copy(state)
    before.plan = after.plan = None
    before.replace_words(option.decision.words[:])
    after.replace_words(certain.words)
    seat = option.decision.seat
    lines = watched_lines(before, after, seat, lang) or changed_lines(before, after, seat, lang)
    return Preview(tuple(lines), certain.whole)


def watched_lines(before: State, after: State, seat: int | None, lang: str) -> list[Text]:
    """The values under `preview` that are different."""
    old, new = Presenter(before, seat, lang), Presenter(after, seat, lang)
    rows = []
    for spec in old.shows.preview:
        name = spec.of
        for thing in subjects(old, name):
            was, now = show_text(old, spec, thing), show_text(new, spec, thing)
            if was.plain != now.plain:
                kind = old.program.thing_kinds[thing]
                rows.append(line(old, thing, old.title(f"display.{name}", f"{kind}.{name}", name), was, now))
    return rows


def subjects(presenter: Presenter, name: str) -> Iterator[int]:
    """The things that have a value of this name; 0 for the whole game."""
    program = presenter.program
    kinds = [symbol.partition(".")[0] for symbol in presenter.entries if symbol.endswith(f".{name}")]
    number = program.function_names.get(name, -1)
    if number >= 0:
        kinds += [t.domain for _, t in program.functions[number].params if isinstance(t, MemberType)]
    if not kinds:
        yield 0
    for kind in dict.fromkeys(kinds):
        yield from presenter.things(kind)


# ------------------------------------------------------------ all that changes


def changed_lines(before: State, after: State, seat: int | None, lang: str) -> list[Text]:
    """The fields and zones that are different, in the order of the store; of many the first."""
    old, new = Presenter(before, seat, lang), Presenter(after, seat, lang)
    rows: list[Text] = []
    for entry in before.game.layout:
        if entry.sort in SHOWN:
            for thing, _ in holders(entry):
                rows += entry_lines(old, new, entry, thing)
    if len(rows) > MOST_LINES:
        more = Text("  " + message(lang, "try_more", n=len(rows) - MOST_LINES), style="dim")
        return [*rows[:MOST_LINES], more]
    return rows


def entry_lines(old: Presenter, new: Presenter, entry: ir.LayoutEntry, thing: int) -> list[Text]:
    """The lines about one field or zone of a thing."""
    was, now = old.read_entry(entry, thing), new.read_entry(entry, thing)
    if was == now:
        return []
    name = entry.symbol.rpartition(".")[2]
    title = old.title(entry.symbol, f"display.{name}", name)
    if isinstance(was, ByMember) and isinstance(now, ByMember):
        pairs = zip(was.parts, now.parts, strict=True)
        return [
            line(old, thing, f"{title} ({text_of(old, member, was.key)})", shown(old, a), shown(new, b))
            for (member, a), (_, b) in pairs
            if a != b
        ]
    if isinstance(was, Pieces) and isinstance(now, Pieces) and was.index_types:
        counts, later = dict(was.counts), dict(now.counts)
        keys = [key for key in dict.fromkeys((*counts, *later)) if counts.get(key, 0) != later.get(key, 0)]
        names = [f"{title} ({key_text(old, key, was.index_types)})" for key in keys]
        rows = zip(names, keys, strict=True)
        return [line(old, thing, name, number(counts, key), number(later, key)) for name, key in rows]
    return [line(old, thing, title, shown(old, was), shown(new, now))]


def shown(presenter: Presenter, content: Content) -> Text:
    """A content as text; of things, their names; nothing is `none`."""
    match content:
        case ShownValue(value, type_):
            return Text(presenter.game.texts.value(presenter.lang, value, type_))
        case Hidden() | Pieces() | ByMember():
            return content_text(presenter, content, "text")


def number(counts: dict[tuple[int, ...], int], key: tuple[int, ...]) -> Text:
    return Text(str(counts.get(key, 0)))


def key_text(presenter: Presenter, key: Sequence[int], types: Sequence[Type]) -> str:
    return presenter.separator.join(text_of(presenter, v, t) for v, t in zip(key, types, strict=True))


def text_of(presenter: Presenter, value: int, type_: Type) -> str:
    return presenter.game.texts.value(presenter.lang, value, type_)


def line(presenter: Presenter, thing: int, title: str, was: Text, now: Text) -> Text:
    owner = name_text(presenter, thing) + Text(" ") if thing else Text("")
    return Text("  ") + owner + Text(f"{title}: ", style="dim") + was + Text(" -> ") + now
