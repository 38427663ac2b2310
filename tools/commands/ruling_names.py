"""Names that a ruling may use, for `rulings --names`: what stands behind `given` and `do`, rows, answers, values.

Takes a loaded game; gives names as they are written, with what belongs to them, in the groups of their places. Of what
is the same for every thing of a kind, such as a field, the first thing stands for all.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass

from dsl import ir
from dsl.base.types import MapType, MemberType, Type
from dsl.driver.reference import RulesetReference
from dsl.files.phrases import phrases_of
from dsl.program import Program
from interpreter import Game
from tools.base.errors import UserError
from tools.base.loading import choose_language, load_game

GROUPS = ("given", "do", "effect", "options", "rows", "answers", "values", "members")
ROUTINES = ("phase", "procedure", "action", "icon")
STATE = ("field", "pieces", "slot", "zone", "face")  # sorts of the layout that rows set
MOST_MEMBERS = 12  # of a kind or enum that are listed


@dataclass(frozen=True, slots=True)
class NamedEntry:
    """`name`: as it is written; `detail`: its title, type or members."""

    name: str
    detail: str = ""


def names_command(rules: Sequence[RulesetReference], only: str | None, as_json: bool, lang: str | None) -> int:
    """Print the names of each of these rules, or only those with `only` in them."""
    data = {}
    for reference in rules:
        game = load_game(reference)
        spoken = choose_language(game, lang)
        groups = {group: list(filtered(found, only)) for group, found in names_for_rulings(game.program).items()}
        if only is not None and not any(groups.values()):
            raise UserError(f"nothing that a ruling of {game.program.named} may name has '{only}' in it.")
        data[game.program.named] = {group: [asdict(named) for named in found] for group, found in groups.items()}
        if not as_json:
            render(game, groups, spoken)
    if as_json:
        print(json.dumps(data, ensure_ascii=False, indent=2))
    return 0


def filtered(found: Iterable[NamedEntry], only: str | None) -> Iterator[NamedEntry]:
    wanted = (only or "").casefold()
    return (named for named in found if wanted in named.name.casefold() or wanted in named.detail.casefold())


def names_for_rulings(program: Program) -> dict[str, list[NamedEntry]]:
    """All names by their groups, in the order of the rules."""
    found: dict[str, list[NamedEntry]] = {group: [] for group in GROUPS}
    found["given"] = [NamedEntry(name, position.title) for name, position in program.positions.items()]
    routines = [proc for proc in program.procs if proc.word in ROUTINES and "#" not in proc.name]
    found["do"] = [NamedEntry(proc.name + parameters(proc.params), proc.word) for proc in routines]
    found["effect"] = [
        NamedEntry(proc.name + parameters(proc.params), program.cards.get(proc.name.partition(".")[0], ""))
        for proc in program.procs
        if proc.word == "effect"
    ]
    low, high = program.seats
    found["options"] = [
        NamedEntry("seats", f"{low}..{high}"),
        *(option_name(program, option) for option in program.options),
    ]
    found["rows"] = [row_name(program, entry) for entry in program.layout if entry.sort in STATE]
    found["answers"] = list(answer_names(program, {proc.name: proc for proc in routines}))
    found["values"] = [
        NamedEntry(f.name + parameters(f.params), str(f.result)) for f in program.functions if f.name.isidentifier()
    ]
    found["members"] = [
        cell_name(domain.name, domain.lattice) if domain.lattice else NamedEntry(domain.name, members_text(domain))
        for domain in program.domains.values()
        if domain.sort != "union"
    ]
    return found


def parameters(params: Sequence[tuple[str, Type]]) -> str:
    """The parameters of a call as they are declared, without those that the rules give themselves; may be empty."""
    own = [f"{name}: {t}" for name, t in params if not name.startswith("$")]
    return f"({', '.join(own)})" if own else ""


def option_name(program: Program, option: ir.OptionInfo) -> NamedEntry:
    domain = program.domains.get(option.domain)
    return NamedEntry(option.name, ", ".join(domain.ids) if domain is not None else "true, false")


def row_name(program: Program, entry: ir.LayoutEntry) -> NamedEntry:
    """A field, zone or supply as a row names it, `p1.coins`, with its type; of pieces their name, what they are counted
    by, and their faces, `leaf by Tree, green or red`."""
    holder, _, name = entry.symbol.rpartition(".")
    if holder:
        found = program.domains.get(holder)
        name = f"{found.ids[0] if found is not None and found.ids else holder}.{name}"
    if not entry.piece:
        return NamedEntry(name, str(entry.type))
    keys = (
        [str(key) for key in entry.type.keys if isinstance(key, MemberType)] if isinstance(entry.type, MapType) else []
    )
    by = f" by {', '.join(keys)}" if keys else ""
    faces = f", {' or '.join(entry.faces)}" if entry.faces else ""
    return NamedEntry(name, f"{entry.piece}{by}{faces}")


def answer_names(program: Program, routines: dict[str, ir.Proc]) -> Iterator[NamedEntry]:
    """The actions and cases that answers name, with the questions that offer them."""
    places: dict[str, list[str]] = {}
    for site in program.sites:
        for alternative in site.alternatives if site.payment is None else ():
            if alternative.name:
                places.setdefault(alternative.name, []).append(site.address)
    for name, addresses in places.items():
        params = parameters(routines[name].params) if name in routines else ""
        yield NamedEntry(name + params, ", ".join(dict.fromkeys(addresses)))


def cell_name(name: str, lattice: ir.Lattice) -> NamedEntry:
    """A cell of a lattice as rulings write it, `Spot(q, r)`, with the bounds of its coordinates."""
    bounds = zip(lattice.axes, (lattice.columns, lattice.rows, (1, lattice.sheets)), strict=False)
    return NamedEntry(
        f"{name}({', '.join(lattice.axes)})", ", ".join(f"{a} {low}..{high}" for a, (low, high) in bounds)
    )


def members_text(domain: ir.DomainInfo) -> str:
    more = len(domain.ids) - MOST_MEMBERS
    return ", ".join(domain.ids[:MOST_MEMBERS]) + (f", .. ({more})" if more > 0 else "")


def render(game: Game, groups: dict[str, list[NamedEntry]], lang: str) -> None:
    from rich.text import Text

    from tools.base.console import stdout

    console, say = stdout(), phrases_of(lang, "names")
    console.print(Text(game.program.named, style="bold"))
    for group, found in groups.items():
        if not found:
            continue
        console.print()
        console.print(Text(say(group), style="bold underline"))
        width = max((len(named.name) for named in found if len(named.name) <= console.width // 2), default=0)
        for named in found:
            line = Text("  ") + Text(named.name.ljust(width), style="cyan") + Text(f"  {named.detail}")
            line.rstrip()
            console.print(line, soft_wrap=True)
