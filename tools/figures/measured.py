"""Figures as they are kept in the file `figures.json` of a ruleset's folder, for its page on the website."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from dsl.base.writing import write_atomic
from dsl.files.ruleset import ruleset_files
from tools.base.errors import UserError
from tools.figures.figures import Figures

FILE = "figures.json"
PLAYED = (".rules", ".cards")  # the files that say how a game goes, beside its data


@dataclass(frozen=True, slots=True)
class Measured:
    """The figures for each number of seats, and how they were come by. `rules`: the digest of the rules that were
    played; `seconds`: for a choice, as people are taken to think; `command` leads to the same figures."""

    ruleset: str
    version: str
    rules: str
    bots: tuple[str, ...]
    seconds: float
    command: str
    interrupted: bool
    figures: tuple[Figures, ...]

    def as_text(self) -> str:
        """All of it as JSON."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1)


def rules_digest(path: Path) -> str:
    """The digest of the files of a ruleset that say how its game goes: rules, cards and data, whatever their order."""
    digest = hashlib.sha256()
    for file in ruleset_files(path):
        if file.suffix in PLAYED or file.parent.name == "data":
            for part in (file.name.encode(), file.read_bytes()):
                digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def keep(measured: Measured, path: Path) -> Path:
    """Write the figures into the folder of a ruleset. Raises OSError."""
    file = path / FILE
    write_atomic(file, measured.as_text() + "\n")
    return file


def kept(path: Path) -> Measured | None:
    """The figures in the folder of a ruleset; None where there are none. Raises UserError for a file that is none of
    these."""
    file = path / FILE
    if not file.is_file():
        return None
    from pydantic import TypeAdapter, ValidationError  # it takes long to load

    try:
        return TypeAdapter(Measured).validate_json(file.read_bytes())
    except ValidationError as fault:
        first = fault.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise UserError(
            f"{file} holds no figures ({place + ': ' if place else ''}{first['msg']}); "
            f"write it anew: rulewright lab figures {path.name} --write"
        ) from None
