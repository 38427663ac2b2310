"""The screen before an answer: the board, the question and its options, as much at a time as a screen holds.

Takes the state and the seats of people; draws, and does not change the game. Where things on the map can be chosen, the
map stands above the question and has the numbers of the options; Enter shows what is left of the options or of the map.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len
from rich.text import Text

from interpreter import Decision, Option, State
from interpreter.session.entry import CHANCE
from tools.base.console import stdout
from tools.base.errors import shorten
from tools.base.terminal import ask
from tools.display.board import NO_BOARD, Board, BoardPainter, board_lines, find_part
from tools.display.map import things_on_map
from tools.drawing.canvas import CUT, truncate
from tools.drawing.lines import wrap_items
from tools.shows.messages import message
from tools.table.listing import Listing, list_options
from tools.table.table import Table
from tools.terminal.narrate import Narrator
from tools.terminal.options import option_lines
from tools.terminal.pages import OptionPage, pages_of

PROMPT_LINES = 2  # the empty line above a question, and the line that is typed on


@dataclass(frozen=True, slots=True)
class ScreenPart:
    """The lines that are printed at a time. `parts`: how many parts the page has; `more`: what else there is, if
    anything."""

    board: list[Text]
    options: list[Text]
    parts: int
    more: str


class Screen:
    def __init__(self, table: Table, lang: str) -> None:
        self.table, self.lang = table, lang
        self.people = people = table.people
        self.console = stdout()
        # several people at one screen are shown only what everybody may see
        self.narrator = Narrator(self.console, lang, next(iter(people)) if len(people) == 1 else None)
        self.current_question: Decision | None = None  # while a person is asked
        self.seat_at_screen = 0  # the seat whose cards are on the screen
        self.drawn_at = -1  # length of the log when the board was last drawn; -1: not drawn
        self.page = self.part = 0  # what is shown: the number of a page of options, and of a part of it
        self.parts = 1  # of this page
        self.drawing = False  # whether the board stands above the question, whatever it is about

    @property
    def state(self) -> State:
        return self.table.state

    def print(self, text: str, style: str = "") -> None:
        self.console.print(Text(text, style=style))

    def print_lines(self, lines: list[Text], style: str = "") -> None:
        for line in lines:
            self.console.print(line, style=style, soft_wrap=True)

    def print_wrapped(self, lines: Iterable[Text], indent: int) -> None:
        """Print lines that may be longer than the screen is wide; what goes on below begins at `indent`."""
        for line in lines:
            self.print_lines(wrap_items(Text(""), [line], self.console.width, indent))

    @property
    def decision(self) -> Decision:
        """The question that a person answers now."""
        decision = self.current_question or self.state.decision
        assert decision is not None
        return decision

    def listing(self) -> Listing:
        return list_options(self.decision, self.lang)

    def pages(self) -> list[OptionPage]:
        return pages_of(self.listing(), things_on_map(self.state.game.program))

    @property
    def height(self) -> int:
        """The lines of the terminal; 0 where there is none."""
        return self.console.height if self.console.is_terminal else 0

    @property
    def reader(self) -> int | None:
        """The seat that the screen is drawn for; None: nobody in particular."""
        seat = self.decision.seat if self.state.decision is not None else None
        return seat if seat in self.people else self.narrator.seat

    def marks(self) -> dict[int, str]:
        """The numbers of the options on the map, if a person is asked."""
        asked = self.state.decision is not None and self.decision.seat in self.people
        return self.pages()[self.page].marks if asked else {}

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
        """True if somebody else, or chance, has acted since the board was drawn."""
        seat = self.decision.seat
        return self.drawn_at < 0 or any(e.kind == CHANCE or e.seat != seat for e in self.state.log[self.drawn_at :])

    # ------------------------------------------------------------ one question

    def show_question(self, draw: bool = False) -> None:
        """Print the question with its options, and the board if `draw` is set or things on the map can be chosen."""
        self.page = self.part = 0
        self.drawing = draw
        self.show_part(self.question_lines())

    def show_more(self) -> None:
        """Print what has not been shown of the options or of the map; after that, begin again."""
        before = self.page, self.part
        self.part += 1
        if self.part >= self.parts:
            self.page, self.part = (self.page + 1) % len(self.pages()), 0
        if (self.page, self.part) != before:
            self.show_part(self.question_lines() if self.part == 0 or self.is_on_map() else [])

    def show_part(self, question: list[Text]) -> None:
        part = self.compose(len(self.question_lines()))
        self.parts = part.parts
        if part.board:
            self.console.print()
            self.print_lines(part.board)
            self.drawn_at = len(self.state.log)
        if question:
            self.console.print()
            self.print_lines(question)
        self.print_lines(part.options)
        if part.more:
            self.print_lines([truncate(Text(part.more), self.console.width)], style="dim")

    def is_on_map(self) -> bool:
        """True if things on the map can be chosen."""
        return not self.marks().keys().isdisjoint(things_on_map(self.state.game.program))

    def compose(self, question: int) -> ScreenPart:
        """The current part of the current page, below which there is room for a question of so many lines."""
        page, several = self.pages()[self.page], len(self.pages()) > 1
        room = max(self.console.height - PROMPT_LINES - question - several, 3)  # a line may tell what else there is
        rows = option_lines(page.listing, self.console.width, room if self.height else 0)
        if self.height and self.is_on_map():
            return self.compose_map(page, rows, room, several)
        board = NO_BOARD
        size = room if len(rows) <= room else room - 1
        if self.drawing and self.height:  # what cannot be listed on one screen leaves half of the first to the board
            board = self.compose_board(self.painter(), room - len(rows) if len(rows) <= room else size // 2, 0)
        elif self.drawing or self.is_on_map():
            board = Board(board_lines(self.state, self.reader, self.lang, self.console.width, self.marks()))
        first = min(size, room - len(board.lines) - (len(rows) > room)) if self.height else size
        parts = [(0, chunk) for chunk in chunks(rows, first, size)]
        lines = board.lines if self.part == 0 else []
        return ScreenPart(lines, parts[self.part][1], len(parts), self.told_more(parts))

    def compose_map(self, page: OptionPage, rows: list[Text], room: int, several: bool) -> ScreenPart:
        """The current part of a page whose options are on the map: all options and a window of the map, or, where they
        are too many, those in the window, with as few parts as can be."""
        painter, on_map = self.painter(), things_on_map(self.state.game.program)
        most = room - room * 3 // 5  # lines of options
        tried = []
        for size in [len(rows)] if len(rows) <= most else range(most, most // 2, -1):
            height = room - size - (not several)
            board = self.compose_board(painter, height, 0)
            parts: list[tuple[int, list[Text]]] = []
            for number, window in enumerate(board.windows):
                seen = rows
                if len(board.windows) > 1 and len(rows) > size:
                    seen = option_lines(page.listed_in(window, on_map), self.console.width)
                parts += [(number, chunk) for chunk in chunks(seen, size, size)]
            tried.append((parts, height))
        parts, height = min(tried, key=lambda found: len(found[0]))
        more = self.told_more(parts)
        if not more:  # the line is free for the board
            height = room - len(parts[self.part][1])
        number, chunk = parts[self.part]
        return ScreenPart(self.compose_board(painter, height, number).lines, chunk, len(parts), more)

    def painter(self) -> BoardPainter:
        return BoardPainter(self.state, self.reader, self.lang, self.console.width, self.marks())

    def told_more(self, parts: list[tuple[int, list[Text]]]) -> str:
        """A line about what Enter shows, if anything: the rest of the options, of the map, or other pages."""
        window = parts[self.part][0]
        if lines := sum(len(rows) for number, rows in parts[self.part + 1 :] if number == window):
            return message(self.lang, "more", n=lines)
        if self.part + 1 < len(parts):
            return message(self.lang, "more_map")
        titles = [page.title for page in self.pages()[self.page + 1 :]]
        names = self.state.game.texts.joined(self.lang, titles)
        return message(self.lang, "more_pages", names=names) if titles else ""

    def compose_board(self, painter: BoardPainter, height: int, window: int) -> Board:
        """The board in this many lines, with the names of what they do not show: below a map in one line, if there is
        no room for more."""
        room = height
        while True:
            board = painter.fit(room, window)
            told = Text(self.left_out_text(board.left_out), style="dim")
            note = wrap_items(Text(""), [told], self.console.width, 2) if board.left_out else []
            if note and room == height - 1 and len(board.lines) + len(note) > height and painter.has_marks:
                note = [self.left_out_line(board.left_out)]
            if len(board.lines) + len(note) <= height:
                return replace(board, lines=[*board.lines, *note])
            if room <= 0:
                return board
            room -= 1

    def left_out_text(self, names: Sequence[str], more: str = "") -> str:
        joined = self.state.game.texts.joined(self.lang, list(names))
        return message(self.lang, "more_board", names=joined + more)

    def left_out_line(self, names: Sequence[str]) -> Text:
        """The names of what is left out in one line, the last ones as `…` where they do not fit."""
        fewer = (self.left_out_text(names[:n], f" {CUT}") for n in range(len(names) - 1, 0, -1))
        told = [self.left_out_text(names), *fewer]
        fitting = next((text for text in told if cell_len(text) <= self.console.width), told[-1])
        return truncate(Text(fitting, style="dim"), self.console.width)

    def question_lines(self) -> list[Text]:
        """The question, who is asked, and notes about the answer."""
        decision, game = self.decision, self.state.game
        domain = getattr(decision.site.actor_type, "domain", "")
        who = message(self.lang, "you", actor=game.texts.id(self.lang, domain, decision.actor), seat=decision.seat)
        asked = message(self.lang, "asked", who=who, prompt=decision.prompt(self.lang))
        told = [(asked, "bold")]
        if decision.shape in ("some", "amounts") and (example := example_numbers(self.listing())):
            told.append((message(self.lang, "several", example=example), "dim"))
        if later := self.listing().later_text():
            told.append((later, "dim"))
        if self.state.decision is not None and self.state.decision.seat != decision.seat:
            told.append((message(self.lang, "open"), "dim"))
        if decision.undecided:
            answers = ", ".join(o.text(self.lang) for o in decision.undecided)
            tries = game.program.limits.tries
            told.append((message(self.lang, "undecided", tries=tries, answers=answers), "yellow"))
        if interrupts := self.interrupts():
            told.append((message(self.lang, "now_some", n=len(interrupts)), "dim"))
        lines = (wrap_items(Text(""), [Text(text, style=style)], self.console.width, 2) for text, style in told)
        return [line for wrapped in lines for line in wrapped]

    def interrupts(self) -> list[tuple[int, Option]]:
        """(seat, action) for the actions `at any moment` that people at this screen may take now."""
        return [(seat, option) for seat in sorted(self.people) for option in self.table.moments(seat)]

    # ------------------------------------------------------------ the board

    def draw(self) -> None:
        """Draw the whole board."""
        self.console.print()
        self.print_lines(board_lines(self.state, self.reader, self.lang, self.console.width, self.marks()))
        self.drawn_at = len(self.state.log)

    def board(self, rest: str) -> None:
        """Draw the board, or one part of it."""
        if not rest:
            return self.draw()
        lines = find_part(self.state, self.reader, self.lang, self.console.width, rest, self.marks())
        self.print_lines(lines or [Text(message(self.lang, "no_panel", name=shorten(rest)), style="yellow")])


def chunks(lines: list[Text], first: int, size: int) -> list[list[Text]]:
    """The lines, the first so many of them, and the rest in parts of `size`."""
    return [lines[:first], *(lines[start : start + size] for start in range(first, len(lines), size))]


def example_numbers(listing: Listing) -> str:
    """An example of an answer by several numbers; empty if only one can be given."""
    first: dict[str, str] = {}
    for label, option in listing.rows:
        if option.kind in ("add", "amount"):
            first.setdefault(option.ids[0], label)
    return ", ".join(list(first.values())[:2]) if len(first) > 1 else ""
