"""`card`: the printed rule of a card, what errata up to a day and overlays make of it, and the rulings about it.

Takes a ruleset with its overlays and the id of a card; prints its title, its rule as of that day, and its history. A
card that an overlay adds is shown as that overlay has it.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from textwrap import indent
from typing import Any, TypeGuard

from dsl.driver.reference import RulesetReference
from dsl.files.phrases import phrase, phrases_of
from dsl.files.ruleset import FileTexts, read_files
from dsl.overlay import find
from dsl.overlay.changes import Change, apply_change, changes_of
from dsl.overlay.patches import PATCHES, snippet
from dsl.program import Program
from dsl.symbols.symbols import Model
from dsl.syntax import nodes as sx
from dsl.syntax.parser import parse_file
from tools.base.errors import UserError, unknown_message
from tools.base.home import read_reference
from tools.base.loading import choose_language, load_game


@dataclass(frozen=True, slots=True)
class CardFace:
    id: str
    title: str
    kind: str
    place: str
    printed: str
    rule: str  # as of the day
    history: tuple[Change, ...]
    rulings: tuple[tuple[str, str], ...]  # name and title
    copies: tuple[str, ...] = ()  # ids, its own first; empty for a single card
    text: str = ""  # its text for players, if the locale has one
    text_kept: bool = False  # patches change its rule, and none of them its text

    def to_json(self) -> dict[str, Any]:
        history = [{k: v for k, v in asdict(change).items() if k != "mark"} for change in self.history]
        return {**asdict(self), "history": history, "rulings": dict(self.rulings)}


def card_command(ruleset: str, card: str, as_of: str | None, lang: str | None, as_json: bool) -> int:
    rules = read_reference(ruleset)
    day = as_of or rules.as_of or datetime.date.today().isoformat()
    try:
        datetime.date.fromisoformat(day)
    except ValueError:
        raise UserError(f"--as-of should be a date such as 2012-01-01, but '{day}' was given.") from None
    dated = replace(rules, as_of=day)
    found, lang = find_card(dated, card, lang)
    if as_json:
        print(json.dumps({"as_of": day, **found.to_json()}, ensure_ascii=False, indent=2))
    else:
        render(found, RulesetReference(rules.path).label, dated, lang)
    return 0


def find_card(rules: RulesetReference, card: str, wanted: str | None) -> tuple[CardFace, str]:
    """A card by its id or that of a copy: one that is printed, or else one that overlays add; and the language of its
    texts."""
    game = load_game(RulesetReference(rules.path))
    program = printed_program = game.program
    if rules.overlays or rules.layers and card not in ids_of_cards(program):
        game = load_game(rules)
        program = game.program
    lang = choose_language(game, wanted)
    known = ids_of_cards(program) | ids_of_cards(printed_program)
    if card not in known:
        raise UserError(unknown_message("card", card, known, program.named))
    card, firsts = known[card], ids_of_cards(printed_program if card in ids_of_cards(printed_program) else program)
    copies = tuple(id for id, first in firsts.items() if first == card != id)
    texts, _ = read_files(rules.path, rules.layers)
    model = Model()
    model.sources = texts.all()
    decl = declaration_of(card, [texts, *texts.overlays])
    printed = rule = snippet(model, decl.span)
    changes = changes_of(rules.path, rules.layers, rules.chosen)
    history = tuple(
        change
        for change in changes
        if change.address.split(".")[0] == card and not (change.word == "add" and change.after == printed)
    )
    for change in history:
        rule = apply_change(rule, change)
    kind = program.cards[card] if card in program.cards else printed_program.cards[card]
    title = game.texts.find(lang, f"{kind}.{card}") or decl.text or card
    text = game.texts.find(lang, f"{kind}.{card}.text") or ""
    kept = bool(text) and keeps_text(card, kind, changes)
    row = model.sources[decl.span.file].place(decl.span.start)[0]
    clauses = {*decl.cites, *(clause for change in history for clause in change.clauses)}
    about = tuple((r.name, r.title) for r in program.rulings.values() if clauses & set(r.cites))
    every = (card, *copies) if copies else ()
    return CardFace(
        card, title, kind, f"{decl.span.file}:{row}", printed, rule, history, about, every, text, kept
    ), lang


def ids_of_cards(program: Program) -> dict[str, str]:
    """The id of each card, and of each of its copies -> the id of the card."""
    copies = {program.thing_ids[copy]: program.thing_ids[first] for copy, first in program.copies.items()}
    return {
        **{card: card for card in program.cards},
        **{id: card for id, card in copies.items() if card in program.cards},
    }


def declaration_of(card: str, layers: Sequence[FileTexts]) -> sx.Decl:
    """The declaration of a card in the ruleset, or else in the first overlay that has it."""
    for layer in layers:
        sources = [s for s in layer.rules if s.file.endswith((".cards", ".rules"))]
        trees = [parse_file(s.file, s.text)[0] for s in (*sources, *layer.patches)]
        blocks = [line.block for tree in trees for line in tree.lines if is_overlay(line)]
        found = find([*trees, *(sx.File("", block) for block in blocks)], [card])
        if isinstance(found, sx.Decl) and found.word == "card":
            return found
    raise UserError(f"the rule of '{card}' is put together by overlays and stands in no one place.")


def is_overlay(line: sx.Line) -> TypeGuard[sx.Decl]:
    return isinstance(line, sx.Decl) and line.word in ("errata", "variant")


def patches_by_overlay(history: Sequence[Change]) -> Iterator[tuple[str, list[Change]]]:
    """The name of each errata or variant with its patches."""
    for by, patches in groupby(history, key=lambda change: change.by):
        yield by, list(patches)


def keeps_text(card: str, kind: str, changes: Sequence[Change]) -> bool:
    """Whether patches change the rule of a card, and none of the overlays its text for players."""
    patched = any(change.word in PATCHES and change.address.split(".")[0] == card for change in changes)
    texts = [change.address.partition("`")[0] for change in changes if change.word == "text"]
    return patched and f"{kind}.{card}.text" not in texts


def text_note(card: str, text: str, lang: str) -> str:
    return phrase(lang, "card", "note", text=phrase(lang, "card", "text_kept", card=card, text=text))


def render(card: CardFace, plain: str, dated: RulesetReference, lang: str) -> None:
    """Print the card: without errata, which is how it is played under the name `plain`, and as of a day, under `dated`.
    Which of the two holds now is not told by dates: errata may keep an older printing."""
    from rich.text import Text

    from tools.base.console import stdout

    console, say = stdout(), phrases_of(lang, "card")
    console.print(Text(card.title, style="bold") + Text(f"  {card.kind} {card.id}  {card.place}", style="cyan"))

    if card.copies:
        names = ", ".join(card.copies)
        console.print(Text(say("copies", n=len(card.copies), names=names)), soft_wrap=True)

    if card.text:
        console.print(Text(card.text), soft_wrap=True)

    def part(head: str, text: str) -> None:
        console.print()
        console.print(Text(head, style="bold underline"))
        console.print(Text(indent(text, "  ")), soft_wrap=True)

    part(say("printed", name=plain), card.printed)
    for number, (by, patches) in enumerate(patches_by_overlay(card.history), 1):
        cites = dict.fromkeys(clause for change in patches for clause in change.clauses)
        cited = f" [{', '.join(cites)}]" if cites else ""
        since = say("since", day=patches[0].dated) if patches[0].dated else ""
        about = ", ".join(filter(None, (since, by)))
        because = f": {patches[0].because}" if patches[0].because else ""
        console.print()
        head = say("errata" if patches[0].dated else "overlay", n=number, about=f"{about}{because}{cited}")
        console.print(Text(head, style="bold underline"))
        for change in patches:
            console.print(Text(indent(f"{change.word} {change.address}\n{change.after}", "  ")), soft_wrap=True)
            console.print(Text(f"  {change.file}:{change.line}", style="cyan"))
    if card.history:
        part(say("day", day=dated.as_of or "", name=dated.label), card.rule)
    if card.text_kept:
        console.print(Text(f"\n{text_note(card.id, card.text, lang)}", style="yellow"), soft_wrap=True)
    if not card.history:
        console.print(f"\n{say('no_errata', day=dated.as_of or '')}")
    if card.rulings:
        console.print()
        console.print(Text(say("rulings"), style="bold underline"))
        for name, title in card.rulings:
            console.print(Text(f"  {name}  {title}"), soft_wrap=True)
