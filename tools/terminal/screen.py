"""What a person sees before they answer: the board, the question, the options page by page.

Takes the state and the seats of people; draws, and does not change the game.
"""

from __future__ import annotations

from rich.text import Text

from interpreter import Decision, Option, State, moments
from interpreter.session.entry import CHANCE
from tools.base.console import stdout
from tools.base.errors import shorten
from tools.base.terminal import ask
from tools.display.board import board_lines, find_panel, fitting_board
from tools.display.messages import message
from tools.display.panels import wrap_items
from tools.terminal.narrate import Narrator
from tools.terminal.options import Listing, list_options, option_lines, option_marks


class Screen:
    def __init__(self, state: State, people: frozenset[int], lang: str) -> None:
        self.state, self.people, self.lang = state, people, lang
        self.console = stdout()
        # several people at one screen are shown only what everybody may see
        self.narrator = Narrator(self.console, lang, next(iter(people)) if len(people) == 1 else None)
        self.last_question = -1  # its number
        self.current_question: Decision | None = None  # while a person is asked
        self.seat_at_screen = 0  # the seat whose cards are on the screen
        self.drawn_at = -1  # length of the log when the board was last drawn; -1: not drawn
        self.more_options: list[Text] = []  # lines that did not fit on the page

    def print(self, text: str, style: str = "") -> None:
        self.console.print(Text(text, style=style))

    @property
    def decision(self) -> Decision:
        """The question that a person answers now."""
        decision = self.current_question or self.state.decision
        assert decision is not None
        return decision

    def listing(self) -> Listing:
        return list_options(self.decision, self.lang)

    def seats_asked_and_reading(self) -> tuple[int | None, int | None]:
        """The seat that is asked, and the seat that the screen is drawn for; None: nobody in particular."""
        seat = self.decision.seat if self.state.decision is not None else None
        return seat, seat if seat in self.people else self.narrator.seat

    def hand_over(self, seat: int) -> None:
        """Wait for the next person before their cards are shown, in a game with secrets."""
        last, self.seat_at_screen = self.seat_at_screen, seat
        if last in (0, seat) or not self.state.game.has_secrets or not self.console.is_terminal:
            return
        texts, names = self.state.game.texts, self.state.game.names
        who = texts.id(self.lang, self.state.game.program.seat_kind, names.seat_id(seat))
        ask("\n" + message(self.lang, "hand_over", who=who))
        self.console.clear()
        self.drawn_at = -1

    def needs_drawing(self) -> bool:
        """Whether somebody else, or chance, has acted since the board was drawn, or the map shows new options."""
        if self.drawn_at < 0:
            return True
        seat = self.decision.seat
        if any(entry.kind == CHANCE or entry.seat != seat for entry in self.state.log[self.drawn_at :]):
            return True
        return self.decision.cursor == 0 and self.decision.number != self.last_question and self.has_options_on_map()

    def has_options_on_map(self) -> bool:
        """Whether things on the map can be chosen, so that a map with their numbers helps."""
        layers = (self.state.game.program.display.get("map") or {}).get("layers") or []
        kinds = {layer.get("kind") for layer in layers}
        return any(self.state.game.program.thing_kinds[thing] in kinds for thing in option_marks(self.listing()))

    def draw(self, height: int = 0) -> None:
        """Draw the board; if it is higher than `height` (0: no limit), its first panels and the names of the others."""
        seat, reader = self.seats_asked_and_reading()
        width, shown = self.console.width, option_marks(self.listing()) if seat in self.people else {}
        found, missing = fitting_board(self.state, reader, self.lang, width, height) if height else ([], [])
        self.console.print()
        for line in found if missing else board_lines(self.state, reader, self.lang, width, shown):
            self.console.print(line, soft_wrap=True)
        if missing:
            names = self.state.game.texts.joined(self.lang, missing)
            for line in wrap_items(Text(""), [Text(message(self.lang, "more_board", names=names))], width, 2):
                self.console.print(line, style="dim")
        self.drawn_at = len(self.state.log)

    def board(self, rest: str) -> None:
        """Draw the board, or one panel of it."""
        if not rest:
            return self.draw()
        lines = find_panel(self.state, self.seats_asked_and_reading()[1], self.lang, self.console.width, rest)
        for line in lines or [Text(message(self.lang, "no_panel", name=shorten(rest)), style="yellow")]:
            self.console.print(line, soft_wrap=True)

    def options(self) -> None:
        """Print the question and who is asked, and the first page of options."""
        decision, game = self.decision, self.state.game
        domain = getattr(decision.site.actor_type, "domain", "")
        who = message(self.lang, "you", actor=game.texts.id(self.lang, domain, decision.actor), seat=decision.seat)
        self.console.print()
        asked = message(self.lang, "asked", who=who, prompt=decision.prompt(self.lang))
        for line in wrap_items(Text(""), [Text(asked)], self.console.width, 2):
            self.console.print(line, style="bold", soft_wrap=True)
        if decision.shape in ("some", "amounts") and (example := example_numbers(self.listing())):
            self.print(message(self.lang, "several", example=example), style="dim")
        if self.state.decision is not None and self.state.decision.seat != decision.seat:
            self.print(message(self.lang, "open"), style="dim")
        if decision.undecided:
            answers = ", ".join(o.text(self.lang) for o in decision.undecided)
            self.print(
                message(self.lang, "undecided", tries=game.program.limits.tries, answers=answers), style="yellow"
            )
        if interrupts := self.interrupts():
            self.print(message(self.lang, "now_some", n=len(interrupts)), style="dim")
        self.more_options = option_lines(self.listing(), self.console.width)
        self.print_page()

    def print_page(self) -> None:
        room = max(8, self.console.height - 6)
        shown, self.more_options = self.more_options[:room], self.more_options[room:]
        for line in shown:
            self.console.print(line, soft_wrap=True)
        if self.more_options:
            self.print(message(self.lang, "more", n=len(self.more_options)), style="dim")

    def interrupts(self) -> list[tuple[int, Option]]:
        """(seat, action) for the actions `at any moment` that people at this screen may take now."""
        return [(seat, option) for seat in sorted(self.people) for option in moments(self.state, seat)]


def example_numbers(listing: Listing) -> str:
    """An example of an answer by several numbers; empty if only one can be given."""
    first: dict[str, str] = {}
    for label, option in listing.rows:
        if option.kind in ("add", "amount"):
            first.setdefault(option.ids[0], label)
    return ", ".join(list(first.values())[:2]) if len(first) > 1 else ""
