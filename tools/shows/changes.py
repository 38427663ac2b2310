"""Changes that are reported besides the log: things that have arrived in a zone, and values that have changed.

Takes successive states of one game and the list `told` of `display.yaml`; returns a line, the text `told.<id>`, for
each arrival and each change since the last call. It does not read the log.
"""

from __future__ import annotations

from typing import Any

from dsl.shows.program import ToldChange
from dsl.shows.spec import ShowSpec
from interpreter import State
from tools.shows.presenter import Presenter
from tools.shows.words import name_text, show_text
from tools.shows.zones import known_contents


class ChangeTracker:
    """Changes as one reader sees them; `seat` None sees only what everybody may see."""

    def __init__(self, lang: str, seat: int | None) -> None:
        self.lang, self.seat = lang, seat
        self.last_shown: dict[tuple[str, int], Any] = {}
        self.last_values: dict[tuple[str, int], Any] = {}  # of computed values, whoever may see them

    def report(self, state: State) -> list[str]:
        """The lines since the last call; the first call only takes note of the position."""
        specs = [one for one in state.game.program.display.told if one.compares_positions]
        if not specs:
            return []
        presenter = Presenter(state, self.seat, self.lang)
        lines: list[str] = []
        for spec in specs:
            for thing in presenter.things(spec.per) if spec.per else (0,):
                if self.is_unchanged(presenter, spec, thing):
                    continue
                lines += self.arrivals(presenter, spec, thing)
                if spec.change is not None and not spec.come:
                    lines += self.change_lines(presenter, spec, spec.change, thing)
        return lines

    def is_unchanged(self, presenter: Presenter, spec: ToldChange, thing: int) -> bool:
        """True if computed values are the same as before; False for fields and zones, which are compared one by one."""
        names = [one.of for one in spec.come or (spec.change,) if one is not None]
        if not all(name in presenter.program.function_names for name in names):
            return False
        now = [presenter.read_unrestricted(name, thing) for name in names]
        was = self.last_values.get((spec.id, thing))
        self.last_values[spec.id, thing] = now
        return was == now

    def arrivals(self, presenter: Presenter, spec: ToldChange, thing: int) -> list[str]:
        if not spec.come:
            return []
        present = [t for zone in spec.come for t in known_contents(presenter, zone.of, thing)]
        before = self.last_shown.get((spec.id, thing), present)
        self.last_shown[spec.id, thing] = present
        return [self.arrival_line(presenter, spec, thing, new) for new in present if new not in before]

    def change_lines(self, presenter: Presenter, spec: ToldChange, change: ShowSpec, thing: int) -> list[str]:
        now = show_text(presenter, change, thing).plain
        was = self.last_shown.get((spec.id, thing), now)
        self.last_shown[spec.id, thing] = now
        if now == was:
            return []
        name = f"told.{spec.id}"
        template = self.find_text(presenter, name, "{whose} {it}") if now else self.find_text(presenter, f"{name}.none")
        return [self.fill(presenter, template, thing, {"it": now, "was": was})] if template else []

    def arrival_line(self, presenter: Presenter, spec: ToldChange, thing: int, new: int) -> str:
        kind, id_ = presenter.program.thing_kinds[new], presenter.program.thing_ids[new]
        text = presenter.game.texts.find(self.lang, f"{kind}.{id_}.text") or ""
        template = self.find_text(presenter, f"told.{spec.id}", "{whose} {it}")
        return self.fill(presenter, template, thing, {"it": name_text(presenter, new).plain, "text": text})

    def find_text(self, presenter: Presenter, key: str, otherwise: str = "") -> str:
        return presenter.game.texts.find(self.lang, key) or otherwise

    def fill(self, presenter: Presenter, template: str, thing: int, values: dict[str, str]) -> str:
        owner = name_text(presenter, thing).plain if thing else ""
        return " ".join(presenter.game.texts.fill(self.lang, template, {**values, "whose": owner}).split())
