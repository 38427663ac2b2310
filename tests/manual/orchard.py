"""Makes a ruleset of a page of the manual: its examples, and from `orchard.rules` whatever they take for granted.

The examples of a page are fragments of one imaginary game. What a page declares itself is left out of `orchard.rules`,
so page and rest together are a whole ruleset, which must check without an error and keep its rulings.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from dsl.syntax.nodes import Decl, File
from dsl.syntax.parser import parse_file

FOLDER = Path(__file__).parent
PIECE = re.compile(r"^(?=\S)", re.MULTILINE)
OVERLAY = re.compile(r"^(errata|variant) ")


def names(tree: File) -> Iterator[str]:
    """What a text declares: `harvest`, `Tree` (its population), `Tree.height` (a member of a kind)."""
    for line in tree.lines:
        if not isinstance(line, Decl):
            continue
        if line.word == "kind":
            yield from (f"{line.name}.{inner.name}" for inner in line.block if isinstance(inner, Decl))
            if line.block and not (line.items or line.clauses):
                continue
        yield line.name


def rest(taken: Iterable[str]) -> str:
    """The declarations of the orchard without those that are taken; lines keep their numbers."""
    taken = set(taken)
    kept = []
    for piece in PIECE.split((FOLDER / "orchard.rules").read_text(encoding="utf-8")):
        tree, _ = parse_file("orchard.rules", piece)
        kept.append("\n" * piece.count("\n") if taken & set(names(tree)) else piece)
    return "".join(kept)


def write(root: Path, page: str, examples: dict[int, str]) -> tuple[Path, list[Path]]:
    """A ruleset folder below `root`, and its overlay files. `examples`: text by the line that it begins after.

    Rulings in `rulings/PAGE.ruling` prove what the page says about its examples.
    """
    folder = root / "rulesets" / "orchard"
    folder.mkdir(parents=True)
    shutil.copytree(FOLDER / "data", folder / "data")
    rules, overlays = "", ""
    for line, text in examples.items():
        if OVERLAY.match(text):
            overlays += "\n" * (line - overlays.count("\n")) + text
        else:
            rules += "\n" * (line - rules.count("\n")) + text
    if rules:
        (folder / "page.rules").write_text(rules, encoding="utf-8")
    (folder / "orchard.rules").write_text(rest(names(parse_file("page.rules", rules)[0])), encoding="utf-8")
    rulings = FOLDER / "rulings" / f"{page}.ruling"
    if rulings.exists():
        shutil.copy(rulings, folder / "page.ruling")
    manifest = (FOLDER / "ruleset.yaml").read_text(encoding="utf-8")
    load = "[page.rules, orchard" if rules else "[orchard"
    (folder / "ruleset.yaml").write_text(manifest.replace("[orchard", load), encoding="utf-8")
    if not overlays:
        return folder, []
    overlay = root / "page.errata"
    overlay.write_text(overlays, encoding="utf-8")
    return folder, [overlay]
