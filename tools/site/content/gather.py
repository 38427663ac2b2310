"""From a set of rules to the `SiteContent`: compiles, runs the rulings, and collects the content of the pages.

It writes nothing. The content about single rules is collected by `rules`, that about overlays by `overlays`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from dsl import ir
from dsl.driver.pipeline import PassResults, run_all_passes
from dsl.driver.reference import RulesetReference
from dsl.editing import NameIndex, Symbol, analysis_of
from dsl.files.ruleset import FileTexts, read_files
from dsl.symbols.symbols import Model
from dsl.syntax import nodes as sx
from dsl.syntax.parser import cache_parsed_texts, parse_file
from interpreter import Game
from interpreter.records.ruling import run_ruling
from tools.base.loading import choose_language, load_game
from tools.commands.draw import first_state
from tools.figures.measured import kept, rules_digest
from tools.site.content.highlight import highlight
from tools.site.content.links import Use, link_targets, uses_in
from tools.site.content.model import CardPage, ClausePage, Overlay, RulingPage, SiteContent
from tools.site.content.overlays import changes_at, overlay_sources, overlays_of, rule_with_errata
from tools.site.content.pictures import card_pictures, ruling_pictures
from tools.site.content.rules import TopDeclarations, cited_lines, clauses_in, declared_in, values_of
from tools.site.content.urls import WITH_RULINGS, urls_of


def gather(rules: RulesetReference, wanted: Sequence[str] = (), pictures: bool = True) -> SiteContent:
    """The content of the site of a set of rules, which has no errors, for the languages that are wanted: those of the
    ruleset if none is; with `pictures` of rulings and cards."""
    cache_parsed_texts()  # the same texts are read once more for each overlay
    game = load_game(rules)
    chosen = tuple(dict.fromkeys(choose_language(game, lang) for lang in wanted))
    languages = chosen or game.program.languages
    texts, passed = run_passes(rules)
    layers = overlay_sources(rules)
    games = {file: other for layer in layers if (other := layer.game()) is not None for file in layer.files}
    every = replace(texts, overlays=[*texts.overlays, *(layer.texts for layer in layers if not layer.applied)])
    index = NameIndex(every, analysis_of(texts, passed))
    trees = {source.file: parse_file(source.file, source.text)[0] for source in index.rule_sources()}
    ran = {
        name: tuple(gather_rulings(tree, games.get(name, game), languages, pictures))
        for name, tree in sorted(trees.items())
    }
    rulings = {name: found for name, found in ran.items() if found}
    declared = {name: tuple(declared_in(tree, index.sources[name])) for name, tree in trees.items()}
    uses = uses_in(index)
    overlays = tuple(overlays_of(rules, layers, rulings))
    start = first_state(game) if pictures else None
    cards = tuple(
        replace(card, pictures=card_pictures(start, card.kind, card.id, languages))
        for card in cards_of(passed.model, uses, overlays, rulings)
    )
    clauses = tuple(clauses_of(game, passed.files, rulings))
    measured = kept(rules.path) if rules.plain else None
    return SiteContent(
        game,
        passed.model,
        index.sources,
        declared,
        cards,
        clauses,
        tuple(values_of(passed.model, uses, TopDeclarations(declared), overlays)),
        rulings,
        overlays,
        urls_of(game, passed.model, declared, cards, clauses, rulings, overlays),
        {file: highlight(file, index.sources[file].text, link_targets(uses[file])) for file in trees},
        languages,
        measured,
        measured is not None and measured.rules != rules_digest(rules.path),
    )


def run_passes(rules: RulesetReference) -> tuple[FileTexts, PassResults]:
    """The texts and the result of the passes over them; the rules are known to be without errors."""
    texts, _ = read_files(rules.path, rules.layers)
    chosen = rules.chosen
    return texts, run_all_passes(texts, rules.path.name, (2, 4), (), chosen)


def gather_rulings(tree: sx.File, game: Game, languages: Sequence[str], pictures: bool) -> Iterator[RulingPage]:
    """The rulings and positions of a file; the rulings are run by the game that they are written for."""
    for line in tree.lines:
        if isinstance(line, sx.Decl) and line.word in WITH_RULINGS:
            known = rulings_of(game, tree, line)
            if line.params is not None and known:
                yield RulingPage(line.name, line.text or "", line.span, line.cites, True, table=True)
            for ruling in known:
                yield run_and_record(game, line, ruling, languages, pictures)
            if not known:
                yield RulingPage(line.name, line.text or "", line.span, line.cites, line.word == "position")


def rulings_of(game: Game, tree: sx.File, line: sx.Decl) -> list[ir.Ruling]:
    """The rulings that are run of a declaration: the ruling itself, or each row of its table."""
    rulings = game.program.rulings
    names = [line.name] if line.params is None else [name for name in rulings if name.startswith(f"{line.name}.")]
    found = [rulings[name] for name in names if name in rulings and line.word == "ruling"]
    return [ruling for ruling in found if ruling.span.file == tree.path]


def run_and_record(
    game: Game, line: sx.Decl, ruling: ir.Ruling, languages: Sequence[str], pictures: bool
) -> RulingPage:
    """A ruling with its result and its transcript in each language."""
    results = {lang: run_ruling(game, ruling, lang, traced=True) for lang in languages}
    first = results[languages[0]]
    transcripts = {lang: result.transcript for lang, result in results.items()}
    failures = tuple(map(str, first.failures))
    shown = ruling_pictures(game, ruling, languages) if pictures else {}
    row = None if line.params is None else ruling.span
    return RulingPage(
        ruling.name, ruling.title, line.span, ruling.cites, False, first.passed, failures, transcripts, shown, row=row
    )


# ---------------------------------------------------------------- cards and clauses


def cards_of(
    model: Model,
    uses: Mapping[str, Sequence[Use]],
    overlays: Sequence[Overlay],
    rulings: Mapping[str, Sequence[RulingPage]],
) -> Iterator[CardPage]:
    every = [ruling for in_file in rulings.values() for ruling in in_file if not ruling.position]
    for id_, card in model.cards.items():
        errata, variants = (tuple(changes_at(overlays, id_, word)) for word in ("errata", "variant"))
        whole = {*card.decl.cites, *(clause for change in errata for clause in change.clauses)}
        about = tuple(ruling.name for ruling in every if whole & set(ruling.cites))
        copies = [copy for copy, first in card.kind.copies.items() if first == id_]
        symbols = {Symbol("member", card.kind.name, name) for name in (id_, *copies)}
        at = {file: [use.span.start for use in in_file if use.symbol in symbols] for file, in_file in uses.items()}
        named = tuple(
            ruling.name
            for ruling in every
            if ruling.name not in about
            and any(ruling.span.start <= start < ruling.span.end for start in at[ruling.span.file])
        )
        clauses = tuple(dict.fromkeys((*card.decl.cites, *clauses_in(card.decl))))
        rule = rule_with_errata(card.decl, errata, model)
        yield CardPage(
            id_, card.kind.name, card.decl.span, clauses, errata, variants, rule, about, named, len(card.things)
        )


def clauses_of(game: Game, files: Sequence[sx.File], rulings: Mapping[str, Sequence[RulingPage]]) -> list[ClausePage]:
    """The clauses of the index, in its order, then those that are cited without being in the index."""
    lines = cited_lines(files)
    citing: dict[str, list[str]] = {}
    for ruling in (ruling for in_file in rulings.values() for ruling in in_file):
        for clause in ruling.cites:
            citing.setdefault(clause, []).append(ruling.name)
    about = game.program.clauses
    ids = list(dict.fromkeys((*about, *sorted({*lines, *citing}))))
    heads = {id_.partition(".")[0] for id_ in ids if "." in id_}
    found = []
    for id_ in ids:
        entry, head = about.get(id_, {}), id_.partition(".")[0]
        chapter = head if head in heads else head.partition("-")[0]
        prose = entry.get("prose", "")
        found.append(ClausePage(id_, chapter, prose, tuple(lines.get(id_, ())), tuple(citing.get(id_, ()))))
    return found
