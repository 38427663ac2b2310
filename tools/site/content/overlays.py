"""Errata and variants of a set of rules for its site: what each changes, and the game in which its rulings hold.

Takes the named rules; gives the overlays that come with them and those that are applied to them. It compiles, and plays
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dsl.driver.reference import RulesetReference, overlaid, shipped_overlays
from dsl.files.ruleset import FileTexts, errata_of, overlay_files, read_file
from dsl.overlay.blocks import clause_text
from dsl.overlay.changes import Change, apply_change, changes_of
from dsl.overlay.patches import snippet
from dsl.symbols.symbols import Model
from dsl.syntax import nodes as sx
from dsl.syntax.parser import parse_file
from interpreter import Game
from tools.site.content.model import Overlay, RulingPage


@dataclass(frozen=True, slots=True)
class OverlaySource:
    """An overlay on disk with its texts; `applied`: it is part of the rules that the site is about."""

    rules: RulesetReference
    path: Path
    texts: FileTexts
    applied: bool

    @property
    def files(self) -> list[str]:
        """Its files of rulings."""
        return [source.file for source in self.texts.rules if source.file.endswith(".ruling")]

    def game(self) -> Game | None:
        """The game with this overlay, to run its rulings; None where the rules have these rulings anyway."""
        if self.applied or not self.files:
            return None
        program, _, _ = overlaid(self.rules.path, self.path).compile()
        return Game(program) if program is not None else None

    def blocks(self) -> Iterator[sx.Decl]:
        for source in self.texts.patches:
            for line in parse_file(source.file, source.text)[0].lines:
                if isinstance(line, sx.Decl) and line.word in ("errata", "variant"):
                    yield line


def overlay_sources(rules: RulesetReference) -> list[OverlaySource]:
    """The overlays that come with the ruleset, and those that are applied to it."""
    own = [path.resolve() for path in rules.overlays]
    errata = [path.resolve() for path in errata_of(rules.path)]
    shipped = [path.resolve() for path in shipped_overlays(rules.path).values()]
    found = []
    for path in dict.fromkeys((*shipped, *own)):
        texts = FileTexts(path.stem)
        for file in overlay_files(path):
            read_file(texts, file, path if path.is_dir() else path.parent, rules.path, [])
        layer = OverlaySource(rules, path, texts, path in own)
        dated = path in errata and rules.as_of is not None and all(is_in_force(rules, decl) for decl in layer.blocks())
        found.append(replace(layer, applied=layer.applied or dated))
    return found


def is_in_force(rules: RulesetReference, decl: sx.Decl) -> bool:
    """True for an erratum that is in force on the day, and for the printing, of the rules."""
    printing = clause_value(decl, "printing")
    fits = rules.printing is None or printing in ("", rules.printing)
    return fits and rules.as_of is not None and clause_value(decl, "dated") <= rules.as_of


def overlays_of(
    rules: RulesetReference, layers: Sequence[OverlaySource], rulings: Mapping[str, Sequence[RulingPage]]
) -> Iterator[Overlay]:
    """Errata by their dates, then variants by their names."""
    errata = [layer for layer in layers if any(decl.word == "errata" for decl in layer.blocks())]
    changes = changes_of(rules.path, [layer.path for layer in errata]) if errata else []
    found = []
    for layer in layers:
        if layer not in errata:
            changes += changes_of(rules.path, [layer.path])
        own = tuple(ruling.name for file in layer.files for ruling in rulings.get(file, ()) if not ruling.position)
        files = {source.file for source in layer.texts.all().values()}
        made = [change for change in changes if change.file in files]
        for decl in layer.blocks():
            named = tuple(change for change in made if change.by == decl.name)
            more = tuple(change for change in made if change.by not in {d.name for d in layer.blocks()})
            found.append(make_overlay(decl, (*named, *more), own, layer.applied))
    yield from sorted(found, key=lambda o: (o.word, o.dated, o.name))


def make_overlay(decl: sx.Decl, changes: tuple[Change, ...], rulings: tuple[str, ...], applied: bool) -> Overlay:
    dated, because, printing = (clause_value(decl, key) for key in ("dated", "because", "printing"))
    return Overlay(decl.name, decl.word, dated, because, printing, decl.cites, decl.span, changes, rulings, applied)


def clause_value(decl: sx.Decl, clause: str) -> str:
    """The text of a clause such as `dated`; empty where it is missing."""
    found = clause_text(decl, clause)
    return found[0] if found else ""


# ---------------------------------------------------------------- changes of one declaration


def changes_at(overlays: Iterable[Overlay], address: str, word: str) -> Iterator[Change]:
    """The changes that errata, or variants, make at an address and at the addresses under it."""
    for found in overlays:
        if found.word == word:
            yield from (c for c in found.changes if c.address == address or c.address.startswith(f"{address}."))


def rule_with_errata(decl: sx.Decl, errata: Sequence[Change], model: Model) -> str:
    """The text of a declaration with all errata; empty if there are none."""
    rule = snippet(model, decl.span)
    for change in errata:
        rule = apply_change(rule, change)
    return rule if errata else ""
