"""The names that texts may have in braces, by the address of the text.

Everything else is printed as it is written (RW1112).

The texts of questions are read where their question is elaborated (`dsl.elaborate.statements.guards`), since their
placeholders are values; those of all other addresses are looked up by name, and are checked here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from dsl.checks.wording.addresses import ENGINE, chances
from dsl.elaborate.context import Elaboration
from dsl.files.documents import Documents
from dsl.files.phrases import FALLBACK, PLACEHOLDER, placeholder_parts, sections
from dsl.symbols.symbols import Model

Raw = tuple[str, str, str, str]  # language, address, placeholder, help
Named = tuple[frozenset[str], str, Callable[[str], str]]  # names, what they are, from a placeholder to its name

OF_QUESTION = "placeholders are names and values of the choice"
READ_AT_QUESTIONS = ("", ".ask", ".pick", ".done")
FIELD_HELP = "a heading names fields of the game and values without parameters"


def raw_placeholders(elab: Elaboration, documents: Documents, known: set[str]) -> Iterator[Raw]:
    """The placeholders that nothing stands for, of all languages."""
    for lang, key, written in elab.findings.bad_placeholders:
        yield lang, key, written, OF_QUESTION
    read = set(read_at_questions(elab))
    allowed = placeholders_by_address(elab, documents)
    nothing: Named = frozenset(), "", whole
    for lang, table in documents.locale.items():
        for key, text in table.items():
            if "{" not in text or key in read or key not in known:
                continue
            names, what, name_of = allowed.get(key, nothing)
            for written in PLACEHOLDER.findall(text):
                if name_of(written) not in names:
                    yield lang, key, written, help_about(names, what)


def help_about(names: Iterable[str], what: str) -> str:
    if what:
        return what
    listed = ", ".join(f"`{{{name}}}`" for name in sorted(names))
    return f"a text of this address may name {listed}" if listed else "a text of this address is shown as it is written"


# ---------------------------------------------------------------- from a placeholder to the name in it


def before_forms(written: str) -> str:
    """The name of a placeholder that may have forms for numbers: `n` of `{n|card|cards}`."""
    return "".join(placeholder_parts(written)[0].split())


def whole(written: str) -> str:
    return written


def of_heading(written: str) -> str:
    return written.removesuffix("()")


# ---------------------------------------------------------------- by address


def read_at_questions(elab: Elaboration) -> Iterator[str]:
    """The addresses of texts whose placeholders are read with their question."""
    for site in elab.out.sites:
        yield from (site.address + part for part in READ_AT_QUESTIONS)
        yield from (f"{site.address}.{end}.done" for end in ("decline", "ready"))
        for case in (alternative.name for alternative in site.alternatives if alternative.name):
            yield from (address + part for address in (case, f"{site.address}.{case}") for part in READ_AT_QUESTIONS)


def placeholders_by_address(elab: Elaboration, documents: Documents) -> dict[str, Named]:
    """The names that may stand in braces in the texts of these addresses; texts of other addresses take none."""
    m = elab.model
    found: dict[str, Named] = {}
    for key, phrase in sections(FALLBACK)["engine"].items():
        found[f"{ENGINE}{key}"] = frozenset(map(before_forms, PLACEHOLDER.findall(phrase))), "", before_forms
    for name, routine in m.routines.items():
        if routine.word == "icon":
            params: Named = frozenset(("actor", *(p for p, _ in routine.params))), "", whole
            found |= dict.fromkeys((name, f"{name}.pick", f"{name}.done"), params)
        elif routine.word == "phase":
            found |= dict.fromkeys((name, f"{name}.title"), (frozenset(of_game(m)), FIELD_HELP, of_heading))
    for kind in m.kinds.values():
        if kind.lattice is not None:
            found[f"lattice.{kind.name}"] = frozenset(kind.lattice.axes), "", before_forms
    actor = frozenset({"actor"}), "", before_forms
    for site in elab.out.sites:
        found |= {f"{site.address}{end}.secret": actor for end in ("", ".decline", ".ready")}
    for chance in chances(elab):
        found[f"{chance.address}.done"] = frozenset() if chance.op == "shuffle" else frozenset({"answer"}), "", whole
    for spec in documents.display.get("told") or ():
        names = frozenset(told(elab, spec)), "", before_forms
        found |= {f"told.{spec.get('id')}": names, f"told.{spec.get('id')}.none": names}
    return found


def mark_named_in_headings(elab: Elaboration, documents: Documents) -> None:
    """Mark what headings name as used: it is there to be seen. What texts of questions name is marked as it is read."""
    m = elab.model
    phases = (name for name, routine in m.routines.items() if routine.word == "phase")
    for address in (address for name in phases for address in (name, f"{name}.title")):
        for table in documents.locale.values():
            for name in map(of_heading, PLACEHOLDER.findall(table.get(address, ""))):
                for symbol in (m.fields.get(name), m.zones.get(name), m.values.get(name), m.options.get(name)):
                    if symbol is not None:
                        symbol.used = True


def of_game(m: Model) -> Iterator[str]:
    """The names that a heading can use: of what there is once, and of values that need nothing."""
    yield from (*m.fields, *m.zones, *m.options)
    yield from (value.name for value in m.values.values() if not value.params)


def told(elab: Elaboration, spec: Mapping[str, Any]) -> Iterator[str]:
    """The names that the line of an entry of `told` can use."""
    yield from ("whose", "it")
    if spec.get("come"):
        yield "text"
    elif spec.get("run"):
        yield from of_routines(elab, [str(name) for name in spec["run"]])
    elif not spec.get("changes"):
        yield "was"
        if spec.get("during") or spec.get("as"):
            yield "by"


def of_routines(elab: Elaboration, names: Iterable[str]) -> set[str]:
    """The parameters that all these routines have; `Kind.effect` and `Kind.STRIP` are those of all things of a kind."""
    wanted: set[str] = set()
    for name in names:
        kind, _, part = name.rpartition(".")
        domain = elab.model.domains.get(kind)
        wanted |= {f"{id_}.{part}" for id_ in domain.ids} if domain is not None else {name}
    params = [{p.lstrip("$") for p, _ in proc.params} for proc in elab.out.procs.values() if proc.name in wanted]
    return set.intersection(*params) if params else set()
