"""`facts`: what the save of a game that is over hands on, as a file of facts that may be edited and begun from."""

from __future__ import annotations

import json
from pathlib import Path

from dsl.base.writing import write_atomic
from interpreter import SaveError
from interpreter.records.handed import FACTS, facts_in
from interpreter.records.handed import FACTS_VERSION as VERSION
from tools.base.errors import UserError
from tools.base.saves import read_save


def facts_command(file: Path, out: Path | None) -> int:
    data = read_save(file)
    try:
        ruleset, facts = facts_in(data)
    except SaveError as fault:
        raise UserError(f"'{file}' hands nothing on: {fault}.") from None
    found = {"format": FACTS, "format_version": VERSION, "ruleset": ruleset, "rules": data.get("rules", ruleset)}
    text = json.dumps({**found, "facts": facts}, ensure_ascii=False, indent=2) + "\n"
    if out is None:
        print(text, end="")
        return 0
    try:
        write_atomic(out, text)
    except OSError as fault:
        raise UserError(f"'{out}' cannot be written: {fault.strerror or fault}.") from None
    print(f"{len(facts)} facts are in {out}")
    return 0
