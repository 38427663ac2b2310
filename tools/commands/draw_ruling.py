"""`draw FILE.ruling`: a ruling as two pictures, of its beginning and of its end, with marks at what it changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dsl import ir
from dsl.files.phrases import phrases_of
from dsl.files.ruleset import RULING, shown_name
from interpreter import Game, State
from interpreter.records.ruling import Faults, played
from tools.base.errors import Stop, UserError, parse_whole_number, unknown_message
from tools.base.home import read_reference, reference_of_file
from tools.base.loading import choose_language, load_game
from tools.picture.differ.marks import marked
from tools.picture.differ.zoom import zoomed
from tools.picture.model.data import Picture
from tools.picture.model.position import picture_of
from tools.picture.render.pair import pair_page, pair_svg

MOST_NAMED = 6  # rulings of a file in a message


@dataclass(frozen=True, slots=True)
class Pair:
    """Two marked pictures with what stands above them."""

    name: str
    title: str
    pictures: tuple[Picture, Picture]
    heads: tuple[str, str]

    def text(self, suffix: str) -> str:
        """The text of a file: of a picture only what differs, of a page everything."""
        if suffix == ".html":
            return pair_page(self.pictures, self.heads)
        return pair_svg(zoomed(*self.pictures), self.heads)


def is_ruling_file(game: str) -> bool:
    return Path(game).suffix == RULING and Path(game).is_file()


def pair_of_file(file: Path, name: str | None, seat: int | None, wanted: str | None) -> Pair:
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


def pair_of_ruling(game: Game, ruling: ir.Ruling, seat: int | None, lang: str) -> Pair:
    """What a ruling begins from and what it ends in."""
    states = states_of(game, ruling)
    if seat is not None:
        parse_whole_number(str(seat), "--seat", 1, states[0].seats)
    say = phrases_of(lang, "picture")
    title = f"{ruling.name}: {ruling.title}"
    return pair_of(ruling.name, title, states, seat, lang, (say("begins"), say("ends")))


def states_of(game: Game, ruling: ir.Ruling) -> tuple[State, State]:
    try:
        return played(game, ruling)
    except Faults as fault:
        raise Stop(1, f"the position of {ruling.name} cannot be built: {fault}") from None


def pair_of(
    name: str, title: str, states: Sequence[State], seat: int | None, lang: str, heads: tuple[str, str]
) -> Pair:
    first, second = (picture_of(state, seat, lang, title) for state in states)
    return Pair(name, title, marked(first, second), heads)
