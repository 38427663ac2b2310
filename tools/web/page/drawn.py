"""The page of one reader in parts: a name and HTML for each, and what can be clicked.

Everything comes from the picture of the position and from the question of this very reader; an onlooker is a reader
without a seat. What is the same is the same text, so that only parts that differ need to be sent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from interpreter import State
from interpreter.play.result import Actors
from tools.html.elements import Content, Html, joined, tag
from tools.picture.model.position import picture_for, seat_text
from tools.picture.model.reader import Shared
from tools.picture.render.page import KeptSections, sections_of
from tools.shows.presenter import Presenter
from tools.table.log import Log
from tools.table.table import Table
from tools.web.page.away import Presence, notices_told, taken_seats, waited_told, wishes
from tools.web.page.ending import agreed_end, awaited, curtain, fault_told, final_scores, request_told
from tools.web.page.log import log_part
from tools.web.page.marks import Marks
from tools.web.page.question import Beside, moment_buttons, question, tools
from tools.web.page.sitting import Sitting, actor_of
from tools.web.page.words import say

ABOVE = {"top": 0, "left": 1}  # sides of panels that stand before the map


@dataclass(slots=True)
class Before:
    """What was drawn of one game in one language, for whomever. `sections`: as they were drawn last; `shared`: what all
    readers of one position see alike; `state`: that position; `sitting`: who plays what."""

    sections: KeptSections = field(default_factory=KeptSections)
    shared: Shared = field(default_factory=dict)
    state: State | None = None
    sitting: Sitting = field(default_factory=Sitting)

    def of(self, state: State) -> Shared:
        """What all readers of this position see alike. A position that has been shown is never changed."""
        if self.state is not state:
            self.state, self.shared = state, {}
        return self.shared


@dataclass(frozen=True, slots=True)
class Drawn:
    """`parts`: by name, in the order of the page; `marks`: key of a thing -> numbers of the options that name it;
    `mine`: whether the reader is to answer; `lines`: the length of the log, for the slider;
    `seats`: the seats that anybody may look back as, when the game is over."""

    parts: dict[str, str]
    marks: dict[str, list[int]] = field(default_factory=dict)
    mine: bool = False
    lines: int = 0
    seats: dict[str, str] | None = None


def drawn_table(
    table: Table,
    seat: int | None,
    lang: str,
    log: Log,
    fault: str = "",
    next_up: int = 0,
    kept: Before | None = None,
    moved: int = 0,
    presence: Presence | None = None,
) -> Drawn:
    """The page of a reader. `log`: what that reader has been told; `fault`: why the game does not go on; `next_up`: the
    seat that is awaited behind a curtain, while nobody's cards are shown; `kept`: what was drawn before, for whomever,
    in this language; `moved`: how many lines of the log were played under other rules first;
    `presence`: who is there."""
    state, kept = table.state, kept or Before()
    presenter = Presenter(state, seat, lang)
    parts, shown = picture_parts(presenter, kept)
    decision = table.asked(seat) if seat is not None and not fault else None
    marks = Marks(presenter, shown)
    parts["ask"] = tag(
        "section",
        asking(table, marks, fault, next_up, kept.sitting.at(state), presence or Presence()),
        id="ask",
        aria_live="polite",
    )
    parts["log"] = log_part(log.told, lang, moved, notices_told(presenter, table))
    marked = marks.of(decision.options) if decision is not None else {}
    seats = {str(n): seat_text(presenter, n) for n in range(1, state.seats + 1)} if table.over else None
    mine = decision is not None and not (seat and table.lets_others_answer(seat))
    mine = mine or not fault and table.awaits_reply(seat or 0)
    return Drawn({name: str(html) for name, html in parts.items()}, marked, mine, seen_lines(state, seat), seats)


def seen_lines(state: State, seat: int | None) -> int:
    """How many lines of the log a reader may know of: of an open plan of somebody else none."""
    return len(state.log) if state.plan is None or state.plan.seat == seat else state.plan.entries


def picture_parts(presenter: Presenter, kept: Before | None = None) -> tuple[dict[str, Html], frozenset[str]]:
    """The head and the sections of the picture of a position, and the keys of the things in it; what is told of things
    is not among it, since a page asks for that when somebody points at one. `kept`: what was drawn before."""
    kept, state, seat = kept or Before(), presenter.state, presenter.seat
    picture = picture_for(presenter, notes=False, shared=kept.of(state))
    phases = tag("span", " › ".join(picture.headings), class_="soft") if picture.headings else None
    actor = actor_of(presenter, kept.sitting.at(state), seat) if seat is not None else ""
    reader = tag("small", picture.reader, " – " if actor else None, tag("b", actor) if actor else None)
    head = tag("div", tag("h1", picture.title, " ", reader), phases, id="head")
    sides = {f"panel-{panel.id}": panel.side for panel in picture.panels}
    sections = sorted(sections_of(picture, kept.sections), key=lambda one: ABOVE.get(sides.get(one.id, ""), len(ABOVE)))
    shown = frozenset[str]().union(*(one.things for one in sections))
    return {"head": head, **{one.id: one.html for one in sections}}, shown


def asking(
    table: Table, marks: Marks, fault: str, next_up: int, actors: Actors, presence: Presence
) -> Iterator[Content]:
    """The question of this reader, or what stands in its place."""
    presenter, state = marks.presenter, table.state
    seat, lang = presenter.seat, presenter.lang
    if fault:
        yield from fault_told(lang, fault)
        return
    yield from taken_seats(presenter, presence.back)
    if next_up:
        yield from curtain(presenter, next_up)
        return
    yield from request_told(presenter, table.requests.open, table.awaits_reply(seat or 0))
    beside = beside_of(table, seat, joined(list(wishes(presenter, table, presence))))
    decision = table.asked(seat) if seat is not None else None
    if decision is not None:
        yield from question(marks, decision, beside)
        yield from waited_told(presenter, table, presence)
        return
    if state.over:
        yield from final_scores(state, lang)
    elif table.ended:
        yield from agreed_end(state, lang)
    else:
        yield from awaited(presenter, actors)
        yield from waited_told(presenter, table, presence)
    if table.over:
        yield tag("p", tag("a", say(lang, "save_file"), href="save", download=True))
    if own := joined(list(tools(lang, beside, False))):
        yield tag("div", own, class_="tools")
    yield moment_buttons(lang, beside.now)


def beside_of(table: Table, seat: int | None, wishes: Html) -> Beside:
    """What a reader may do besides answering; an onlooker nothing. `wishes`: what may be asked of all."""
    if seat is None or seat in table.away:
        return Beside()
    return Beside(
        undo=not table.why_no_undo(seat),
        redo=table.may_redo(seat),
        ask=table.may_ask_back(seat),
        wait=may_wait(table, seat),
        pays=any(site.payment is not None for site in table.state.game.program.sites),
        now=tuple(table.moments(seat)),
        wishes=wishes,
    )


def may_wait(table: Table, seat: int) -> bool:
    """Whether a seat may answer a question before others, and has not let them go first."""
    decision = table.asked(seat)
    first = table.state.decision
    return decision is not None and first is not None and first.seat != seat and not table.lets_others_answer(seat)
