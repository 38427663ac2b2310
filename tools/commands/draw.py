"""`draw`: a position as a picture (`.svg`) or as a page (`.html`): of a saved game, of a new one after some random
decisions, or the one that a ruling begins from; of a file of rulings what one of them changes.

A picture shows what its reader may see: a seat, or an onlooker.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from dsl import ir
from dsl.files.phrases import phrases_of
from dsl.files.ruleset import RULING, shown_name
from interpreter import Game, RulesetError, State, apply
from interpreter.bots.levels import RANDOM
from interpreter.records.position import base_state, build, place_rows
from interpreter.records.ruling import Faults, played
from tools.base.errors import CommandEnd, UserError, parse_whole_number, unknown_message, write_named
from tools.base.home import read_reference, reference_of_file
from tools.base.loading import choose_language, load_game, parse_options
from tools.base.replaying import read_log, replay_states
from tools.base.saves import has_other_digest, load_game_of_save, read_save, restore_game, warn_of_other_digest
from tools.commands.play import begin_game
from tools.picture.differ.marks import marked
from tools.picture.differ.zoom import zoomed
from tools.picture.model.data import Picture
from tools.picture.model.position import picture_of
from tools.picture.render.page import page_of
from tools.picture.sheets.pair import pair_page, pair_svg
from tools.picture.sheets.sheet import svg_of
from tools.simulation.bots import make_bot

WRITERS = {".svg": svg_of, ".html": page_of}
OVERLAYS = (".errata", ".variant")
MOST_DECISIONS = 50_000
MOST_NAMED = 6  # rulings of a file in a message
Position: TypeAlias = "tuple[Game, State, str]"  # the text stands behind the title


@dataclass(frozen=True, slots=True)
class Start:
    """Which position of a game. `after`: so many random decisions from its start; `ruling`: the name of a ruling or
    position; `at`: so many entries of the log of a save, None: all."""

    after: int = 0
    seed: int = 1
    seats: int | None = None
    options: Sequence[str] = ()
    preset: str | None = None
    ruling: str | None = None
    at: int | None = None

    @property
    def is_of_new_game(self) -> bool:
        return bool(self.after or self.seats is not None or self.options or self.preset is not None or self.ruling)


def draw_command(
    game: str, start: Start, seat: int | None, out: Path | None, lang: str | None, rules: str | None = None
) -> int:
    if out is not None and out.suffix not in WRITERS:
        raise UserError(f"--out should end in .svg or .html, but '{out}' was given.")
    if is_ruling_file(game):
        pair = pair_of_file(Path(game), start.ruling, seat, lang)
        return write_picture(out or Path(f"{pair.name}.svg"), pair.text)
    parse_whole_number(str(start.after), "--after", 0, MOST_DECISIONS)
    loaded, state, caption = (
        saved_state(Path(game), start, rules) if Path(game).is_file() else new_state(game, start, rules)
    )
    if seat is not None:
        parse_whole_number(str(seat), "--seat", 1, state.seats)
    lang = choose_language(loaded, lang)
    picture = picture_of(state, seat, lang, caption)
    return write_picture(out or Path(f"{loaded.program.id}.svg"), lambda suffix: WRITERS[suffix](picture))


def is_overlay(game: str) -> bool:
    """Whether this is a file of an overlay, or the folder of one."""
    path = Path(game)
    return path.suffix in OVERLAYS and path.is_file() or path.is_dir() and any(path.glob("*.errata"))


def first_state(game: Game) -> State | None:
    """The start of a game with its options as they are, for the fewest seats; None where it cannot begin so."""
    try:
        return begin_game(game, None, {}, 1)
    except (RulesetError, UserError, CommandEnd):
        return None


def write_picture(out: Path, text_for: Callable[[str], str]) -> int:
    """Write a file whose text depends on how its name ends, and say so."""
    write_named(out, text_for(out.suffix))
    print(f"the picture is in {out}")
    return 0


def saved_state(file: Path, start: Start, rules: str | None) -> Position:
    """The state that a save holds, or one along its log."""
    if start.is_of_new_game:
        raise UserError(
            "a saved game brings its own seats, options and decisions: leave --after, --seats, --option, --preset and "
            "--ruling out."
        )
    data = read_save(file)
    game = load_game_of_save(data, file, rules)
    warn_of_other_digest(game, data, file)
    if start.at is None and "words" in data:
        return game, restore_game(game, data, file, replay_log=has_other_digest(game, data)), ""
    entries = read_log(data, file)
    if start.at is not None:
        parse_whole_number(str(start.at), "--at", 0, len(entries))
    *_, state = replay_states(game, data, file, start.at)
    return game, state, ""


def new_state(ruleset: str, start: Start, rules: str | None) -> Position:
    """The state of a new game after random decisions, or that of a ruling."""
    if start.at is not None or rules is not None:
        raise UserError(f"--at and --rules are for a saved game, but there is no file '{ruleset}'.")
    game = load_game(ruleset)
    if start.ruling is not None:
        if start.after or start.seats is not None or start.options or start.preset is not None:
            raise UserError("a ruling says itself how it begins: leave --after, --seats, --option and --preset out.")
        return ruling_state(game, start.ruling)
    if start.seats is not None:
        parse_whole_number(str(start.seats), "--seats", *game.program.seats)
    state = begin_game(game, start.seats, parse_options(game, start.options, start.preset), start.seed)
    bot = make_bot(RANDOM, start.seed)
    try:
        for _ in range(start.after):
            if state.over:
                break
            apply(state, bot.choose(state))
    except RulesetError as fault:
        raise CommandEnd(1, f"the game stops because of a fault in its ruleset: {fault}") from None
    return game, state, ""


def ruling_state(game: Game, name: str) -> Position:
    """The position that a ruling begins from, or a named position, with its name and title."""
    rulings, positions = game.program.rulings, game.program.positions
    found = rulings.get(name) or positions.get(name)
    if found is None:
        raise UserError(unknown_message("ruling or position", name, [*rulings, *positions], game.program.id))
    try:
        if isinstance(found, ir.Ruling):
            state = base_state(game, found.base, found.seats, found.options)
            place_rows(game, state, found.given)
        else:
            state = build(game, name)
    except Faults as fault:
        raise CommandEnd(1, f"the position of {name} cannot be built: {fault}") from None
    return game, state, f"{found.name}: {found.title}"


@dataclass(frozen=True, slots=True)
class MarkedPair:
    """Two marked pictures with what stands above them, and what differs in words: for each of them, if anything."""

    name: str
    title: str
    pictures: tuple[Picture, Picture]
    heads: tuple[str, str]
    words: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    def text(self, suffix: str) -> str:
        """The text of a file: of a picture only what differs, of a page everything."""
        if suffix == ".html":
            return pair_page(self.pictures, self.heads)
        return pair_svg(zoomed(*self.pictures), self.heads)


def is_ruling_file(game: str) -> bool:
    return Path(game).suffix == RULING and Path(game).is_file()


def pair_of_file(file: Path, name: str | None, seat: int | None, wanted: str | None) -> MarkedPair:
    """The ruling of this name in a file; where there is only one, it needs no name."""
    rules = reference_of_file(file.resolve())
    if rules is None:
        raise UserError(f"'{file}' lies in no ruleset: rulings are in the folder of one, or of an overlay of it.")
    reference = read_reference(rules)
    game = load_game(reference)
    shown = shown_name(file.resolve(), reference.path.resolve())
    rulings = {n: r for n, r in game.program.rulings.items() if shown in (r.span.file, r.file)}
    if name is None and len(rulings) != 1:
        names = list(rulings)[:MOST_NAMED]
        raise UserError(f"'{file}' has {len(rulings)} rulings: say which with --ruling, as in '--ruling {names[0]}'."
                        if names else f"there is no ruling in '{file}'.")  # fmt: skip
    found = rulings.get(name) if name is not None else next(iter(rulings.values()))
    if found is None:
        raise UserError(unknown_message("ruling", str(name), rulings, str(file)))
    return pair_of_ruling(game, found, seat, choose_language(game, wanted))


def pair_of_ruling(game: Game, ruling: ir.Ruling, seat: int | None, lang: str) -> MarkedPair:
    """What a ruling begins from and what it ends in."""
    say = phrases_of(lang, "picture")
    title = f"{ruling.name}: {ruling.title}"
    return pair_of(ruling.name, title, states_of(game, ruling), seat, lang, (say("begins"), say("ends")))


def states_of(game: Game, ruling: ir.Ruling) -> tuple[State, State]:
    try:
        return played(game, ruling)
    except Faults as fault:
        raise CommandEnd(1, f"the position of {ruling.name} cannot be built: {fault}") from None


def pair_of(
    name: str, title: str, states: Sequence[State], seat: int | None, lang: str, heads: tuple[str, str]
) -> MarkedPair:
    """Two positions of one game as this seat sees them. Raises UserError for a seat that is none of them."""
    if seat is not None:
        parse_whole_number(str(seat), "--seat", 1, states[0].seats)
    first, second = (picture_of(state, seat, lang, title) for state in states)
    return MarkedPair(name, title, marked(first, second), heads)
