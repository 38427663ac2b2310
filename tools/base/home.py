"""The home of rulesets: they are found by path, or by id under `rulesets/` of a home folder.

Homes are searched in this order: the variable RULEWRIGHT_HOME, the current folder and its parents, what came with the
program. A ruleset that is named is looked for in all of them; a command without a name is about the rulesets of the
first one, so that it never touches what somebody else keeps. Only names of folders are read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from dsl.base.shipped import HOME, NoHome, home_folders
from dsl.driver.reference import NoSuchRules, RulesetReference, parse_reference
from tools.base.errors import UserError, shorten, unknown_message

MANIFEST = "ruleset.yaml"
NONE_FOUND = "no rulesets were found: set RULEWRIGHT_HOME to the folder that holds 'rulesets', or give a path."


def homes() -> Iterator[Path]:
    """Folders that have a `rulesets` folder, best first."""
    try:
        yield from home_folders()
    except NoHome as missing:
        raise UserError(
            f"{HOME} is '{shorten(missing.folder)}', where there is no folder 'rulesets': name the folder above it."
        ) from None


def rulesets() -> dict[str, Path]:
    """Id -> folder; the first home that has an id wins."""
    found: dict[str, Path] = {}
    for home in homes():
        for id, folder in rulesets_in(home).items():
            found.setdefault(id, folder)
    return found


def rulesets_in(home: Path) -> dict[str, Path]:
    """Id -> folder of the rulesets of one home."""
    return {folder.name: folder for folder in sorted((home / "rulesets").iterdir()) if (folder / MANIFEST).is_file()}


def rulesets_beside(path: Path) -> dict[str, Path]:
    """Id -> folder of all rulesets, those of the home in which this one lies first."""
    own = path.parent.parent if path.parent.name == "rulesets" else None
    return {**rulesets(), **(rulesets_in(own) if own is not None else {})}


def followers(id: str) -> list[str]:
    """The ids of rulesets whose manifest says that their games may begin from the end of one of this ruleset."""
    from dsl.base.span import Source
    from dsl.files.documents import read_manifest

    found = []
    for name, folder in rulesets().items():
        text = (folder / MANIFEST).read_text(encoding="utf-8", errors="replace")
        manifest = read_manifest(Source(MANIFEST, text))[0] if "follows" in text else None
        if manifest is not None and id in (followed.partition("+")[0] for followed in manifest.follows):
            found.append(name)
    return found


def own_rulesets() -> dict[str, Path]:
    """Id -> folder of the rulesets of the first home."""
    home = next(homes(), None)
    return rulesets_in(home) if home is not None else {}


def find_ruleset(name: str) -> Path:
    """The folder of a ruleset given by id or by path."""
    if not name.strip():
        raise UserError("a ruleset is needed: give its id or the path of its folder.")
    path = Path(os.path.expanduser(name))
    if path.is_file() and path.name == MANIFEST:
        return path.parent.resolve()
    if path.is_dir() and (path / MANIFEST).is_file():
        return path.resolve()
    found = rulesets()
    if name in found:
        return found[name]
    if os.sep in name or path.is_dir():
        raise UserError(f"'{name}' is not a ruleset folder: no {MANIFEST} was found in it.")
    if not found:
        raise UserError(NONE_FOUND)
    raise UserError(unknown_message("ruleset", name, found))


def reference_of_file(file: Path) -> str | None:
    """The reference to the rules that a file belongs to: the path of a ruleset, with an overlay if the file is part
    of one; None if the file is not under `rulesets` or `cards`."""
    for folder in file.parents:
        if folder.parent.name == "rulesets" and (folder / "ruleset.yaml").is_file():
            return str(folder) + overlay_suffix(file, folder, "variants")
        ruleset = folder.parent.parent / "rulesets" / folder.name
        if folder.parent.name == "cards" and (ruleset / "ruleset.yaml").is_file():
            return str(ruleset) + overlay_suffix(file, folder, "errata")
    return None


def overlay_suffix(file: Path, folder: Path, place: str) -> str:
    """`+name` for a file in `variants/name` or `errata/name`, else empty."""
    parts = file.relative_to(folder).parts
    return f"+{Path(parts[1]).stem}" if len(parts) > 1 and parts[0] == place else ""


def read_reference(name: str) -> RulesetReference:
    """A ruleset with its overlays and date, from a text such as `orchard+long_winter@2020-05-01`."""
    try:
        return parse_reference(name, find_ruleset)
    except NoSuchRules as missing:
        raise UserError(unknown_message(missing.what, missing.name, missing.known)) from None
    except ValueError:
        raise UserError(f"after the @ in '{name}' a date is expected, such as @2020-05-01.") from None


def selected_rulesets(name: str | None) -> list[RulesetReference]:
    """The ruleset of this name, or every ruleset of the first home."""
    if name is not None:
        return [read_reference(name)]
    found = [RulesetReference(path) for path in own_rulesets().values()]
    if not found:
        raise UserError(NONE_FOUND)
    return found
