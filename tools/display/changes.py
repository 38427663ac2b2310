"""What is told beside the log: things that have come to lie somewhere, and what reads otherwise than before.

Takes states of one game one after the other and the list `told` of `display.yaml`; gives a line, the text `told.<id>`,
for each thing that has come and each change. It knows what lay where when it was asked last, and nothing of the log.
"""

from __future__ import annotations

from typing import Any

from dsl.base.types import ListType, MemberType, SetType
from interpreter import State
from interpreter.core.words import members
from tools.display.values import Hidden, Shower, Value, subject


class News:
    """For one reader; `seat` None reads what everybody may see."""

    def __init__(self, lang: str, seat: int | None) -> None:
        self.lang, self.seat = lang, seat
        self.known: dict[tuple[str, int], Any] = {}
        self.values: dict[tuple[str, int], Any] = {}  # what was read, whoever may see it

    def tell(self, state: State) -> list[str]:
        """The lines since the last call; the first call only looks."""
        told = [spec for spec in state.game.program.display.get("told") or [] if by_looking(spec)]
        if not told:
            return []
        shower = Shower(state, self.seat, self.lang)
        lines: list[str] = []
        for spec in told:
            for thing in shower.things(str(spec["per"])) if spec.get("per") else (0,):
                if self.same(shower, spec, thing):
                    continue
                lines += self.came(shower, spec, thing) if spec.get("come") else self.changed(shower, spec, thing)
        return lines

    def same(self, shower: Shower, spec: dict[str, Any], thing: int) -> bool:
        """Whether values that are worked out came to the same as before; fields and zones are looked at closely."""
        names = [str(name) for name in spec.get("come") or ()] or [subject(spec.get("change"))]
        if not all(name in shower.program.function_names for name in names):
            return False
        now = [shower.compared(name, thing) for name in names]
        was = self.values.get((spec["id"], thing))
        self.values[spec["id"], thing] = now
        return was == now

    def came(self, shower: Shower, spec: dict[str, Any], thing: int) -> list[str]:
        here = [t for zone in spec["come"] for t in lying(shower, str(zone), thing)]
        before = self.known.get((spec["id"], thing), here)
        self.known[spec["id"], thing] = here
        return [self.line(shower, spec, thing, new) for new in here if new not in before]

    def changed(self, shower: Shower, spec: dict[str, Any], thing: int) -> list[str]:
        now = shower.show(spec.get("change"), thing).plain
        was = self.known.get((spec["id"], thing), now)
        self.known[spec["id"], thing] = now
        if now == was:
            return []
        name = f"told.{spec['id']}"
        template = self.text(shower, name, "{whose} {it}") if now else self.text(shower, f"{name}.none")
        return [self.filled(shower, template, thing, {"it": now, "was": was})] if template else []

    def line(self, shower: Shower, spec: dict[str, Any], thing: int, new: int) -> str:
        kind, id_ = shower.program.thing_kinds[new], shower.program.thing_ids[new]
        text = shower.game.texts.find(self.lang, f"{kind}.{id_}.text") or ""
        template = self.text(shower, f"told.{spec['id']}", "{whose} {it}")
        return self.filled(shower, template, thing, {"it": shower.name_of(new).plain, "text": text})

    def text(self, shower: Shower, key: str, otherwise: str = "") -> str:
        return shower.game.texts.find(self.lang, key) or otherwise

    def filled(self, shower: Shower, template: str, thing: int, values: dict[str, str]) -> str:
        whose = shower.name_of(thing).plain if thing else ""
        return " ".join(shower.game.texts.fill(self.lang, template, {**values, "whose": whose}).split())


def by_looking(spec: dict[str, Any]) -> bool:
    """Whether two positions tell it; the rest has to be heard while rules run (`tools.terminal.listener`)."""
    return not any(spec.get(key) for key in ("run", "during", "as"))


def lying(shower: Shower, zone: str, thing: int) -> list[int]:
    """The things in a zone that the reader knows to be there."""
    match shower.read(zone, thing):
        case Hidden(known=known):
            return list(known)
        case Value(value, SetType()):
            return list(members(value))
        case Value(value, ListType()):
            return list(value)
        case Value(value, MemberType()):
            return [value] if value else []
    return []
