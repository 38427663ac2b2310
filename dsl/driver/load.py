"""The conductor's front: a ruleset folder, or texts given directly, to a `Program` with all diagnostics.

A compiled program is kept in the cache under the digest of every file that it was made of, and of the compiler; beside
it are the trees of these files, so that a change of one file leads to the parsing of one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from dsl.base.cache import digest_files, gc_paused, load_cached, store_cached
from dsl.base.span import Source
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.program import Program

Result: TypeAlias = tuple[Program | None, list[Diagnostic], dict[str, Source]]


def compile_ruleset(
    path: Path,
    overlays: Sequence[Path] = (),
    *,
    as_of: str | None = None,
    printing: str | None = None,
    cached: bool = True,
) -> Result:
    """Program (None when there are errors), diagnostics, sources. `path` is the ruleset's folder; its cards lie in
    `../../cards/<id>`. An overlay is a file or a folder; with a day in `as_of` (ISO) all errata of the ruleset up to
    that day count too, and with a `printing` those that are for another one do not. Raises OSError when the folder
    cannot be read."""
    path = path.resolve()
    from dsl.files.ruleset import errata_of, overlay_files, ruleset_files

    named = [p.resolve() for p in overlays]
    overlays = named + [p for p in errata_of(path) if as_of is not None and p not in named]
    files = ruleset_files(path) + [file for overlay in overlays for file in overlay_files(overlay)]
    key = digest_files(files, None) + (f" {as_of} {printing}" if as_of or printing else "")
    if cached and (kept := compiled_before(key)) is not None:
        return kept, list(kept.notes), kept.sources
    from dsl.driver.pipeline import compile_texts  # the compiler: a start from the cache does without it
    from dsl.driver.trees import Trees
    from dsl.files.ruleset import read_files
    from dsl.overlay import Chosen
    from dsl.syntax.parser import parse_file

    with gc_paused():
        texts, unreadable = read_files(path, overlays)
        if unreadable:  # what else would be found comes of what is not there
            return None, unreadable, texts.all()
        trees = Trees(str(path)) if cached else None
        parse = trees.parse if trees else parse_file
        program, diagnostics = compile_texts(texts, path.name, key, chosen=Chosen(as_of, printing), parse=parse)
        if program is not None:
            program = replace(program, overlays=tuple(p.stem for p in named), as_of=as_of, printing=printing)
        if trees:
            trees.store()
            if program is not None:
                store_cached(key, program)
    return program, diagnostics, texts.all()


def compiled_before(digest: str) -> Program | None:
    """The program with this digest if this machine has compiled it: the rules that a save was played under."""
    found = load_cached(digest)
    return found if isinstance(found, Program) else None


def check_texts(
    rules: Mapping[str, str], data: Mapping[str, str] | None = None, *, seats: tuple[int, int] = (2, 4)
) -> list[Diagnostic]:
    """All diagnostics of texts given directly (tests, editors): name -> text; `data` by their path, as
    `data/board.yaml`."""
    return compile_sources(rules, data, seats=seats)[1]


def compile_sources(
    rules: Mapping[str, str],
    data: Mapping[str, str] | None = None,
    *,
    seats: tuple[int, int] = (2, 4),
    overlays: Mapping[str, str] | None = None,
) -> Result:
    """A program from texts given directly; `ruleset.yaml`, `clauses.yaml`, `locale/..` and data files go into `data`.
    Of `overlays` each is a file by its name, or one file of a folder: `marine/locale/en.yaml`."""
    from dsl.driver.pipeline import compile_texts
    from dsl.files.ruleset import Texts

    texts = Texts()
    for name, text in (*rules.items(), *(data or {}).items()):
        texts.add(name, Source(name, text))
    layers: dict[str, Texts] = {}
    for name, text in (overlays or {}).items():
        folder, _, relative = name.partition("/")
        layers.setdefault(folder, Texts(folder)).add(relative or name, Source(name, text))
    texts.overlays = list(layers.values())
    program, diagnostics = compile_texts(texts, "test", "", seats)
    return program, diagnostics, texts.all()
