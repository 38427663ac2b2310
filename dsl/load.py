"""The conductor's front: a ruleset folder, or texts given directly, to a `Program` with all diagnostics.

A compiled program is kept in the cache under the digest of every file that it was made of, and of the compiler.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from dsl.cache import digest_files, load_cached, store_cached, uncollected
from dsl.diagnostics import Diagnostic
from dsl.program import Program
from dsl.span import Source

Result = tuple[Program | None, list[Diagnostic], dict[str, Source]]


def compile_ruleset(path: Path, overlays: Sequence[Path] = (), *, cached: bool = True) -> Result:
    """Program (None when there are errors), diagnostics, sources. `path` is the ruleset's folder; its cards lie in
    `../../cards/<id>`. Raises OSError when the folder can not be read."""
    path = path.resolve()
    from dsl.sources import ruleset_files

    files = ruleset_files(path) + [p.resolve() for p in overlays]
    key = digest_files(files, None)
    if cached:
        found = load_cached(key)
        if isinstance(found, Program):
            return found, list(found.notes), found.sources
    from dsl.compile import compile_texts
    from dsl.sources import read_files

    with uncollected():
        texts, diagnostics = read_files(path, files, overlays)
        program, found_all = compile_texts(texts, path.name, key)
    diagnostics += found_all
    sources = texts.all()
    if program is not None and cached:
        store_cached(key, program)
    return program, diagnostics, sources


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
    Overlays are applied in the order given."""
    from dsl.compile import compile_texts
    from dsl.sources import Texts

    texts = Texts()
    for name, text in rules.items():
        (texts.bots if name == "bots.rules" else texts.rules).append(Source(name, text))
    texts.overlays += [Source(name, text) for name, text in (overlays or {}).items()]
    for name, text in (data or {}).items():
        source = Source(name, text)
        if name == "ruleset.yaml":
            texts.manifest = source
        elif name == "clauses.yaml":
            texts.clauses = source
        elif name == "display.yaml":
            texts.display = source
        elif name.startswith("locale/"):
            texts.locale[Path(name).stem] = source
        else:
            texts.data[name] = source
    program, diagnostics = compile_texts(texts, "test", "", seats)
    return program, diagnostics, texts.all()
