"""Information about a thing, a word or a clause: all that the reader may know, from the ruleset and the position.

Takes a typed name (id, alias, display name or glyph); returns lines. `hand_lines` shows the things that not everybody
sees.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from dsl.base.spelling import nearest
from dsl.base.types import MemberType
from dsl.shows.spec import ShowSpec
from interpreter import Option, State
from interpreter.rules.layout import holder_dims
from interpreter.visibility.audiences import knows, place_of
from interpreter.visibility.cells import sees_cell
from tools.display.board import find_panel
from tools.display.typed_answers import fold_case, languages_typed
from tools.picture.model.about import cited_clauses, printed_text
from tools.shows.content import Hidden
from tools.shows.messages import message
from tools.shows.presenter import Presenter
from tools.shows.words import content_text, name_text, show_text
from tools.shows.zones import known_contents, things_shown


def info_lines(state: State, seat: int | None, lang: str, name: str, by_id: bool = False) -> list[Text]:
    """The lines about all that has this name; `by_id`: about the thing with this id alone, where there is one, and not
    about others of the same title."""
    presenter = Presenter(state, seat, lang)
    program = state.game.program
    wanted = fold_case(name)
    for clause in program.clauses:
        if clause.casefold() == wanted:
            rows = [Text(f"{clause}  {presenter.game.texts.clause(lang, clause)}", style="bold")]
            source, language = presenter.game.texts.source(lang, clause)
            source += f" ({presenter.game.texts.language_name(language)})" if language else ""
            rows += [Text(f"  {text}") for text in (source, presenter.game.texts.prose(lang, clause)) if text]
            cited = [a for a, cites in program.cites.items() if clause in cites]
            return rows + ([Text("  " + ", ".join(cited), style="dim")] if cited else [])
    things = [thing for thing in range(1, len(program.thing_ids)) if wanted in names_of(presenter, thing)]
    things = things or [t for t in range(1, len(program.thing_ids)) if wanted and wanted == folded_glyph(presenter, t)]
    if by_id:
        things = [thing for thing in things if id_of(presenter, thing) == name] or things
    words = [(d, i) for d, i in enum_members(presenter) if wanted in {i.casefold(), folded_text(presenter, d, i)}]
    rows = merge_identical([(id_of(presenter, thing), thing_lines(presenter, thing)) for thing in things])
    if not rows and (listed := panel_lines(presenter, name)):
        return listed
    for domain, id_ in words:
        rows.append(
            Text(f"{state.game.texts.id(lang, domain, id_)}", style="bold") + Text(f"  {domain} {id_}", style="dim")
        )
        rows += text_lines(presenter, domain, id_)
    cites = program.cites.get(wanted.replace(" ", "_"), ())
    if not rows and cites:
        address = wanted.replace(" ", "_")
        rows = [Text(presenter.title(f"{address}.title", name), style="bold"), *clause_lines(presenter, address)]
    if rows:
        return rows
    known = [*program.thing_ids[1:], *program.clauses, *program.cites, *(id_ for _, id_ in enum_members(presenter))]
    guess = nearest(name, known)
    if guess is None:
        return [Text(message(lang, "no_info", name=name), style="yellow")]
    return [Text(message(lang, "no_info_guess", name=name, guess=guess), style="yellow")]


def panel_lines(presenter: Presenter, name: str) -> list[Text]:
    """The things in the zones of a panel, numbered, each with its text or the facts about it; all about one of them if
    its number stands behind the name of the panel. Empty if no panel is called so, or nothing lies there."""
    if (spec := find_panel(presenter, name, whole=True)) is not None:
        things = enumerate(things_shown(presenter, spec.content), 1)
        return [line for number, thing in things for line in short_lines(presenter, number, thing)]
    name, _, last = name.rpartition(" ")
    if (spec := find_panel(presenter, name, whole=True)) is not None and last.isdecimal():
        number = int(last[:9])
        return [
            line
            for t in things_shown(presenter, spec.content)[number - 1 : number]
            for line in thing_lines(presenter, t)
        ]
    return []


def short_lines(presenter: Presenter, number: int, thing: int) -> list[Text]:
    """A thing in a list: its number and name, and below them its text, or the facts about it in one line."""
    kind, id_ = presenter.program.thing_kinds[thing], presenter.program.thing_ids[thing]
    texts = text_lines(presenter, kind, id_)
    if not texts and (facts := fact_lines(presenter, thing)):
        texts = [Text("  ") + Text("  ").join(line[2:] for line in facts)]
    return [Text(f"  {number} ", style="bold") + name_text(presenter, thing), *(Text("  ") + line for line in texts)]


def id_of(presenter: Presenter, thing: int) -> str:
    return presenter.program.thing_ids[thing]


def merge_identical(found: list[tuple[str, list[Text]]]) -> list[Text]:
    """The lines about several things; things with the same lines are listed once, with all their ids."""
    groups: dict[str, tuple[list[str], list[Text]]] = {}
    for id_, lines in found:
        text = "\n".join([lines[0].plain.removesuffix(id_), *(line.plain for line in lines[1:])])
        groups.setdefault(text, ([], lines))[0].append(id_)
    for ids, lines in groups.values():
        lines[0].append("".join(f", {id_}" for id_ in ids[1:]), style="dim")
    return [line for _, lines in groups.values() for line in lines]


def option_names(state: State, seat: int, option: Option) -> list[str]:
    """Ids of what an option is about: things that it names, or the thing in a place that it names; else its action."""
    presenter = Presenter(state, seat, "en")
    things = [state.game.things[id_] for id_ in option.ids if id_ in state.game.things]
    held = [only_content(presenter, thing) or [thing] for thing in things]
    return [state.game.program.thing_ids[t] for found in held for t in found] or list(option.ids[:1])


def only_content(presenter: Presenter, thing: int) -> list[int]:
    """The thing in another thing that has one zone and no pieces, as a list; empty if there is not exactly one."""
    program = presenter.program
    shapes = presenter.game.shapes.get(program.thing_kinds[thing], {})
    zones = [e for e in shapes.values() if e.sort in ("zone", "pieces", "slot")]
    if len(zones) != 1 or zones[0].sort != "zone":
        return []
    found = known_contents(presenter, zones[0].symbol.partition(".")[2], thing)
    return found if len(found) == 1 else []


def enum_members(presenter: Presenter) -> Iterator[tuple[str, str]]:
    for domain in presenter.program.domains.values():
        if domain.sort == "enum":
            yield from ((domain.name, id_) for id_ in domain.ids)


def folded_text(presenter: Presenter, domain: str, id_: str) -> str:
    return fold_case(presenter.game.texts.id(presenter.lang, domain, id_))


def names_of(presenter: Presenter, thing: int) -> set[str]:
    program = presenter.program
    id_, kind = program.thing_ids[thing], program.thing_kinds[thing]
    aliases = {a for a, v in program.domains[kind].aliases.items() if v == thing}
    texts = {
        presenter.game.texts.id(language, kind, id_) for language in languages_typed(presenter.game, presenter.lang)
    }
    return {fold_case(word) for word in {id_, *aliases, *texts}}


def folded_glyph(presenter: Presenter, thing: int) -> str:
    kind = presenter.program.thing_kinds[thing]
    return fold_case(presenter.glyph(thing, MemberType(kind, thing, thing)))


def thing_lines(presenter: Presenter, thing: int) -> list[Text]:
    """The lines about a thing: name, text, consts, fields and zones, place, clauses."""
    program, game = presenter.program, presenter.game
    id_, kind = program.thing_ids[thing], program.thing_kinds[thing]
    kind_name = game.texts.find(presenter.lang, f"kind.{kind}", kind) or kind
    rows = [Text(game.texts.id(presenter.lang, kind, id_), style="bold") + Text(f"  {kind_name} {id_}", style="dim")]
    rows += [*text_lines(presenter, kind, id_), *fact_lines(presenter, thing)]
    return rows + place_lines(presenter, thing) + clause_lines(presenter, id_)


def fact_lines(presenter: Presenter, thing: int) -> list[Text]:
    """The lines of the constants, fields and zones of a thing that are not empty."""
    program, game = presenter.program, presenter.game
    kind = program.thing_kinds[thing]
    rows = []
    names = [c.partition(".")[2] for c in program.consts if c.startswith(f"{kind}.")]
    names += [name for name, entry in game.shapes.get(kind, {}).items() if entry.sort != "place"]
    for name in dict.fromkeys(names):
        content = show_text(presenter, ShowSpec(name), thing)
        if content.plain and presenter.has_content(name, thing):
            title = presenter.title(symbol_of(presenter, kind, name), name)
            rows.append(Text("  ") + Text(title + "  ", style="dim") + content)
    return rows


def symbol_of(presenter: Presenter, kind: str, name: str) -> str:
    """The symbol of a field, zone or constant of a kind, which has its title; it may be that of a union."""
    entry = presenter.game.shapes.get(kind, {}).get(name)
    return entry.symbol if entry is not None else f"{kind}.{name}"


def place_lines(presenter: Presenter, thing: int) -> list[Text]:
    """The line about the place of a thing, if the reader knows it."""
    game, words = presenter.game, presenter.words
    place = place_of(game, words, thing)
    if not place or not knows(game, words, thing, presenter.seat):
        return []
    zone = presenter.program.zones[place]
    owner = name_text(presenter, zone.holder) + Text(" ") if zone.holder else Text("")
    name = presenter.title(zone.symbol, zone.symbol.rpartition(".")[2])
    return [Text("  ") + Text(message(presenter.lang, "lies_in") + "  ", style="dim") + owner + Text(name)]


def text_lines(presenter: Presenter, domain: str, id_: str) -> list[Text]:
    """The lines of the printed text, if the locale has one."""
    return [Text("  " + line) for line in printed_text(presenter, domain, id_).splitlines()]


def clause_lines(presenter: Presenter, address: str) -> list[Text]:
    """The clauses that are cited at this address and at addresses within it."""
    cited = cited_clauses(presenter, address)
    return [Text(f"  [{clause}] {title}".rstrip(), style="dim") for clause, title in cited]


def hand_lines(state: State, seat: int, lang: str) -> list[Text]:
    """Fields and zones that this seat sees, but not everybody."""
    presenter = Presenter(state, seat, lang)
    rows = []
    for entry in state.game.program.layout:
        if entry.audience == "all" or entry.sort == "place":
            continue
        name = entry.symbol.rpartition(".")[2]
        things = presenter.things(entry.symbol.partition(".")[0]) if holder_dims(entry) else (0,)
        for thing in things:
            if not sees_cell(state.game, presenter.words, entry, thing, seat):
                continue
            content = presenter.read(name, thing)
            if content is None or isinstance(content, Hidden):
                continue
            shown = content_text(presenter, content)
            owner = name_text(presenter, thing) + Text(" ") if thing else Text("")
            if shown.plain:
                rows.append(Text("  ") + owner + Text(presenter.title(entry.symbol, name) + ": ", style="dim") + shown)
    return rows
