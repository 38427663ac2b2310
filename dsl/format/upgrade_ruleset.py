"""A whole ruleset in the language of today: rules, cards, overlays, rulings and texts, and the manifest that says so.

`upgraded_files` takes the folder of a ruleset and gives the new texts of the files that change; it writes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import chain
from pathlib import Path

from dsl.base.record import dataclass
from dsl.base.span import Source
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.files.ruleset import (
    ORIGINALS,
    RULES,
    errata_of,
    overlay_files,
    ruleset_files,
    shown_name,
    variants_of,
    write_originals,
)
from dsl.files.yaml import read_yaml
from dsl.format.edits import OwnNames
from dsl.format.rules import format_rules
from dsl.format.upgrade import upgrade_rules, upgrade_texts
from dsl.overlay.addresses import members_of
from dsl.overlay.changes import Change, changes_of
from dsl.syntax.nodes import Decl, Name
from dsl.syntax.parser import parse_file
from dsl.syntax.vocabulary import LANGUAGE
from dsl.syntax.walk import walk

OVERLAYS = (".errata", ".variant")
MANIFEST = "ruleset.yaml"


@dataclass(slots=True)
class Upgrade:
    """The new texts of the files that change. `found`: the messages about files that cannot be read, by file; while
    there are any, nothing should be written, since overlays would no longer fit what they patch."""

    texts: dict[Path, str] = field(default_factory=dict)
    found: dict[Path, list[Diagnostic]] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)  # of those files, by the names that the messages have


def upgraded_files(path: Path) -> Upgrade:
    """All that changes in a ruleset and its overlays. Raises OSError where a file cannot be read, UnicodeDecodeError
    where one is not UTF-8."""
    overlays = (*variants_of(path), *errata_of(path))
    files = list(dict.fromkeys(chain(ruleset_files(path), *map(overlay_files, overlays))))
    before = {file: file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n") for file in files}
    done = Upgrade()
    own = own_names(before)
    for file, text in before.items():
        result = upgraded(file, text, own, done)
        if result is not None and result != text:
            done.texts[file] = result
    manifest = path / MANIFEST
    if manifest in before:
        text = done.texts.get(manifest, before[manifest])
        if (named := with_language(Source(str(manifest), text))) != text:
            done.texts[manifest] = named
    if not done.found:
        for overlay in overlays:
            fit_digests(path, overlay, overlays, done.texts)
    return done


def upgraded(file: Path, text: str, own: OwnNames, done: Upgrade) -> str | None:
    """One file in the language of today, laid out; None after messages about it, which `done` takes."""
    if file.suffix == ".yaml":
        return upgrade_texts(Source(str(file), text), own)
    if file.suffix not in RULES:
        return text
    result, found = upgrade_rules(str(file), text, own)
    if result is None:
        done.found[file] = found
        done.sources[str(file)] = Source(str(file), text)
        return None
    return text if result == text else format_rules(str(file), result)[0] or result


def own_names(texts: Mapping[Path, str]) -> OwnNames:
    """The names that a ruleset gives to values and to members of its own."""
    trees = (parse_file(str(file), text)[0] for file, text in texts.items() if file.suffix in RULES)
    declared = [line for tree in trees for line in walk(tree.lines) if isinstance(line, Decl)]
    values = frozenset(line.name for line in declared if line.word == "value")
    enums = (members_of(line) for line in declared if line.word != "kind")
    faces = (c.args for line in declared for c in line.clauses if c.word == "faces")
    sets = (frozenset(item.id for item in items if isinstance(item, Name)) for items in chain(enums, faces))
    return OwnNames(values, tuple(members for members in sets if members))


def with_language(source: Source) -> str:
    """The text of a manifest that names the language of today."""
    node, _ = read_yaml(source)
    text = source.text
    if node is None or node.kind != "map":
        return text
    named = node.get("language")
    if named is not None:
        return f"{text[: named.span.start]}{LANGUAGE}{text[named.span.end :]}"
    if text.lstrip().startswith("{"):
        return text.replace("{", f"{{language: {LANGUAGE}, ", 1)
    return re.sub(r"^version:.*\n", lambda m: f"{m[0]}language: {LANGUAGE}\n", text, count=1, flags=re.MULTILINE)


# ---------------------------------------------------------------- what overlays expect


def fit_digests(path: Path, overlay: Path, overlays: Sequence[Path], texts: dict[Path, str]) -> None:
    """Add to `texts` the files of an overlay with the digests of what they patch now, where they had the right ones,
    and the files beside them with what these stand for."""
    around = based_on(overlay, overlays)
    changes = zip(changes_of(path, around), changes_of(path, around, opened=texts), strict=True)
    by_file: dict[str, list[tuple[Change, Change]]] = {}
    for was, now in changes:
        if now.mark is not None and was.mark is not None and now.digest:
            by_file.setdefault(now.file, []).append((was, now))
    for file in overlay_files(overlay):
        pairs = by_file.get(shown_name(file, path), ())
        before = file.read_text(encoding="utf-8")
        text = texts.get(file, before)
        for was, now in reversed(pairs):
            assert was.mark is not None and now.mark is not None
            if before[was.mark.start : was.mark.end] == f'"{was.digest}"' and was.digest != now.digest:
                text = f'{text[: now.mark.start]}"{now.digest}"{text[now.mark.end :]}'
        if text != texts.get(file, before):
            texts[file] = text
            beside = file.with_suffix(ORIGINALS)
            if beside.is_file():
                texts[beside] = write_originals((now.digest, now.address, now.before) for _, now in pairs)


def based_on(overlay: Path, overlays: Sequence[Path]) -> list[Path]:
    """An overlay with all that it is laid over, those first."""
    known = {other.stem: other for other in overlays}
    found: list[Path] = []

    def add(one: Path) -> None:
        for file in overlay_files(one):
            if file.suffix not in OVERLAYS:
                continue
            for line in parse_file(str(file), file.read_text(encoding="utf-8"))[0].lines:
                clauses = line.clauses if isinstance(line, Decl) else ()
                for name in (arg.id for c in clauses if c.word == "on" for arg in c.args if isinstance(arg, Name)):
                    if name in known and known[name] not in found and known[name] != overlay:
                        add(known[name])
        if one not in found:
            found.append(one)

    add(overlay)
    return found
