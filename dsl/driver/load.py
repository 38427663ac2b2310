"""The face of the driver: from a ruleset's folder, or from texts, to a `Program` with all diagnostics.

A compiled program is cached under the digest of every file that it was made from, and of the compiler. What is made of
each of these files is cached too, so that after a change of one file only that file is read.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from dsl.base.cache import digest_files, gc_paused, load_cached, store_cached
from dsl.base.span import Source
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.program import Program

if TYPE_CHECKING:
    from dsl.overlay import ErrataChoice

Result: TypeAlias = tuple[Program | None, list[Diagnostic], dict[str, Source]]


def compile_ruleset(
    path: Path,
    overlays: Sequence[Path] = (),
    *,
    as_of: str | None = None,
    printing: str | None = None,
    cached: bool = True,
) -> Result:
    """Program (None when there are errors), diagnostics, sources. `path` is the ruleset's folder; its cards are in
    `../../cards/<id>`. An overlay is a file or a folder; with a day in `as_of` (ISO) all errata of the ruleset up to
    that day apply too, and with a `printing` those for another printing do not. Raises OSError when the folder cannot
    be read."""
    path = path.resolve()
    from dsl.files.ruleset import errata_of, known_overlays, overlay_files, ruleset_files

    named = [p.resolve() for p in overlays]
    overlays = named + [p for p in errata_of(path) if as_of is not None and p not in named]
    files = ruleset_files(path) + [file for overlay in overlays for file in overlay_files(overlay)]
    key = digest_files(files, None) + (f" {as_of} {printing}" if as_of or printing else "")
    before = load_compiled(key) if cached else None
    there = known_overlays(path) | {overlay.stem for overlay in overlays}
    if before is not None and all((name in there) == found for name, found in before.named_overlays.items()):
        return before, list(before.notes), before.sources
    from dsl.driver.part_cache import PartCache
    from dsl.driver.pipeline import compile_texts  # the compiler: a start from the cache does without it
    from dsl.files.ruleset import read_files

    with gc_paused():
        texts, unreadable = read_files(path, overlays)
        if unreadable:  # other diagnostics would only follow from the missing files
            return None, unreadable, texts.all()
        part_cache = PartCache(str(path)) if cached else None
        chosen = errata_choice(path, overlays, as_of, printing)
        sources = texts.all()  # of overlays that turn out not to count as well
        program, diagnostics = compile_texts(texts, path.name, key, chosen=chosen, part_cache=part_cache)
        if program is not None:
            program = replace(program, overlays=tuple(p.stem for p in named), as_of=as_of, printing=printing)
        if part_cache:
            part_cache.store()
            if program is not None:
                store_cached(key, program)
    return program, diagnostics, sources


def errata_choice(path: Path, overlays: Sequence[Path], as_of: str | None, printing: str | None) -> ErrataChoice:
    """The errata of a ruleset that apply under these overlays, those of a day among them."""
    from dsl.files.ruleset import variants_of
    from dsl.overlay import ErrataChoice

    read = {overlay.stem for overlay in overlays}
    absent = frozenset(p.stem for p in variants_of(path) if as_of is not None) - read
    return ErrataChoice(as_of, printing, absent)


def load_compiled(digest: str) -> Program | None:
    """The cached program with this digest, or None; saves use it to find the rules that they were played under."""
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
    known: Collection[str] = (),
) -> Result:
    """A program from texts given directly; `ruleset.yaml`, `clauses.yaml`, `locale/..` and data files go into `data`.
    Of `overlays` each is a file by its name, or one file of a folder: `marine/locale/en.yaml`; `known` are the names
    of others."""
    from dsl.driver.pipeline import compile_texts
    from dsl.files.ruleset import FileTexts

    texts = FileTexts()
    for name, text in (*rules.items(), *(data or {}).items()):
        texts.add(name, Source(name, text))
    layers: dict[str, FileTexts] = {}
    for name, text in (overlays or {}).items():
        folder, _, relative = name.partition("/")
        layers.setdefault(folder, FileTexts(Path(folder).stem)).add(relative or name, Source(name, text))
    texts.overlays = list(layers.values())
    texts.known = frozenset(known)
    sources = texts.all()
    program, diagnostics = compile_texts(texts, "test", "", seats)
    return program, diagnostics, sources
