"""A preview of an option: the values that `display.yaml` lists under `preview`, before and after it.

The option is taken on a copy of the state; the result is a line for each value that differs, as the one who is asked
sees it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from dsl.base.types import MemberType
from interpreter import Option, RulesetError, State, apply, copy, reveals
from interpreter.play.undo import learns
from tools.display.values import Presenter


def preview(state: State, option: Option, lang: str) -> list[Text] | None:
    """What an option would change; None if chance, or something that its taker does not see, decides that. A fault of
    the rules that what is seen leads to is raised as RulesetError."""
    after = copy(state)
    try:
        apply(after, option)
    except RulesetError:
        if learns(state, option):
            return None
        raise
    return None if reveals(state, after) else preview_lines(state, after, option.decision.seat, lang)


def preview_lines(before: State, after: State, seat: int | None, lang: str) -> list[Text]:
    old, new = Presenter(before, seat, lang), Presenter(after, seat, lang)
    rows = []
    for name in old.program.display.get("preview") or []:
        for thing in subjects(old, str(name)):
            was, now = old.show(str(name), thing), new.show(str(name), thing)
            if was.plain != now.plain:
                kind = old.program.thing_kinds[thing]
                owner = old.name_of(thing) + Text(" ") if thing else Text("")
                label = old.title(f"display.{name}", f"{kind}.{name}", str(name))
                rows.append(Text("  ") + owner + Text(f"{label}: ", style="dim") + was + Text(" -> ") + now)
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
