"""Pictures of what overlays change: for each ruling with another outcome its end under the rules before and after, and
the cards that are changed.

Takes the two games; gives pairs of marked pictures. `draw_overlay` writes those of one overlay as `rulewright draw`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from dsl.driver.reference import RulesetReference
from dsl.files.phrases import phrase, phrases_of
from dsl.overlay.changes import Change, changes_of
from interpreter import Game
from tools.base.errors import CommandEnd, UserError, unknown_message
from tools.base.home import read_reference, reference_of_file
from tools.base.loading import choose_language, load_game
from tools.commands.draw import WRITERS, MarkedPair, first_state, pair_of, states_of, write_picture
from tools.errata.rulings import RulingChange, compare_rulings
from tools.html.elements import joined, tag
from tools.picture.differ.marks import marked
from tools.picture.differ.zoom import zoomed
from tools.picture.model.data import Picture
from tools.picture.model.position import cards_of
from tools.picture.render.page import heading, printed_page
from tools.picture.sheets.pair import pair_html

MOST_PAIRS = 12  # of rulings on one page
CARDS = "cards"


def draw_overlay(file: Path, name: str | None, seat: int | None, out: Path | None, wanted: str | None) -> int:
    """Write the pairs of an overlay: a page with all of them, or a picture of one ruling, else of the first."""
    if out is not None and out.suffix not in WRITERS:
        raise UserError(f"--out should end in .svg or .html, but '{out}' was given.")
    inside = file if file.is_file() else next(file.glob("*.errata"))
    rules = reference_of_file(inside.resolve())
    if rules is None:
        raise UserError(f"'{file}' lies in no ruleset: errata are in 'cards/RULESET/errata'.")
    overlaid = read_reference(rules)
    before, after = load_game(RulesetReference(overlaid.path)), load_game(overlaid)
    lang = choose_language(after, wanted)
    changes = changes_of(overlaid.path, overlaid.layers, overlaid.chosen)
    rulings = [change for change in compare_rulings(before, after, lang) if change is not None]
    wanted_rulings = [ruling for ruling in rulings if ruling.name == name] or rulings
    pairs = list(pairs_of(before, after, changes, wanted_rulings, lang, seat))
    if name is not None:
        known = {pair.name: pair for pair in pairs}
        if name not in known:
            raise UserError(unknown_message("ruling with another outcome", name, known, file.stem))
        pairs = [known[name]]
    if not pairs:
        raise CommandEnd(
            1, f"{file.stem} changes no card, and no ruling comes out otherwise, so there is nothing to draw."
        )
    out = out or Path(f"{file.stem}.svg")
    if out.suffix == ".html":
        return write_picture(out, lambda _: page_of_pairs(pairs))
    drawn = next((pair for pair in pairs if any(map(is_shown, zoomed(*pair.pictures)))), None)
    if drawn is None:
        way = f"write a page, which says what is otherwise: --out {file.stem}.html"
        raise CommandEnd(1, f"what {file.stem} changes is nothing that a picture shows; {way}.")
    return write_picture(out, drawn.text)


def pairs_of(
    before: Game,
    after: Game,
    changes: Sequence[Change],
    rulings: Sequence[RulingChange],
    lang: str,
    seat: int | None = None,
) -> Iterator[MarkedPair]:
    """The end of each ruling with another outcome, then the cards that are changed."""
    say = phrases_of(lang, "picture")
    heads = say("before"), say("after")
    for ruling in [one for one in rulings if one.outcome][:MOST_PAIRS]:
        states = [states_of(game, game.program.rulings[ruling.name])[1] for game in (before, after)]
        pair = pair_of(ruling.name, f"{ruling.name}: {ruling.title}", states, seat, lang, heads)
        passed = (phrase(lang, "rulings", "passed"),)
        yield replace(pair, words=(ruling.before or passed, ruling.after or passed))
    ids = list(dict.fromkeys(change.address.partition(".")[0] for change in changes))
    shown = [picture for game in (before, after) if (picture := cards_in(game, ids, lang)) is not None]
    if len(shown) == 2 and any(picture.panels for picture in shown):
        pair = MarkedPair(CARDS, say("cards"), marked(shown[0], shown[1]), heads)
        if any(map(is_shown, zoomed(*pair.pictures))):
            yield pair


def cards_in(game: Game, ids: Sequence[str], lang: str) -> Picture | None:
    """Those of these ids that are cards; None where no game can be begun without more options."""
    cards = [id_ for id_ in ids if id_ in game.program.cards]
    state = first_state(game)
    return cards_of(state, lang, cards, phrases_of(lang, "picture")("cards")) if state is not None else None


def page_of_pairs(pairs: Sequence[MarkedPair]) -> str:
    """A page with pairs of pictures, one below the other, each with what differs in words, and drawn if it can be."""
    picture = pairs[-1].pictures[1]
    inside = [tag("header", heading(picture))]
    for number, pair in enumerate(pairs):
        first, second = zoomed(*pair.pictures)
        inside.append(tag("h2", pair.title))
        for head, words in zip(pair.heads, pair.words, strict=True):
            inside += [tag("p", tag("b", head), f": {line}") for line in words]
        if is_shown(first) or is_shown(second):
            inside.append(pair_html((first, second), pair.heads, f"{number}-"))
    return printed_page(picture, joined(inside))


def is_shown(picture: Picture) -> bool:
    """Whether anything is left of a picture without what is alike."""
    return bool(picture.panels) or picture.chart is not None
