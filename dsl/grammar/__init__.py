"""The one grammar: built by Lark from `rules.lark`, or taken from a cache file that an earlier run has left.

Takes the object with the parser's callbacks; gives a Lark parser. A cache file that is truncated, foreign or of another
version is rebuilt; it holds plain data only, so reading one runs no code.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lark import _LOAD_ALLOWED_OPTIONS
from lark.lexer import TerminalDef

GRAMMAR = Path(__file__).parent / "rules.lark"
STARTS = ["file", "answers", "expression"]


def build(callbacks: object, debug: bool = False) -> Lark:
    return Lark(
        GRAMMAR.read_text(encoding="utf-8"), parser="lalr", lexer="basic", start=STARTS, keep_all_tokens=True,
        maybe_placeholders=False, transformer=callbacks, debug=debug,
    )  # fmt: skip


def load(callbacks: object, cache: Path | None = None) -> Lark:
    """The parser, from `cache` if that holds this very grammar; otherwise built, and written there."""
    if cache is None:
        return build(callbacks)
    key = _key()
    try:
        head, _, body = cache.read_bytes().partition(b"\n")
        if head == key + b" " + _digest(body):
            kept = json.loads(body)
            loader: Any = Lark
            loaded: Lark = loader._load_from_dict(_numbered(kept["data"]), _keyed(kept["memo"]), transformer=callbacks)
            return loaded
    except Exception:  # whatever is wrong with the file: it is only a copy
        pass
    parser = build(callbacks)
    _write(cache, key, parser)
    return parser


def _write(cache: Path, key: bytes, parser: Lark) -> None:
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    data["options"] = {name: value for name, value in data["options"].items() if name not in _LOAD_ALLOWED_OPTIONS}
    body = json.dumps({"data": data, "memo": memo}, separators=(",", ":")).encode()
    fresh = cache.with_name(f"{cache.name}.{os.getpid()}")
    try:
        cache.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_bytes(key + b" " + _digest(body) + b"\n" + body)
        fresh.replace(cache)
    except OSError:
        fresh.unlink(missing_ok=True)


def _key() -> bytes:
    return _digest(f"{lark.__version__} {sys.version_info[:2]} {GRAMMAR.read_text(encoding='utf-8')}".encode())


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()


def _keyed(table: dict[str, Any]) -> dict[int, Any]:
    """JSON makes texts of the numbers that are keys."""
    return {int(key): value for key, value in table.items()}


def _numbered(data: dict[str, Any]) -> dict[str, Any]:
    table = data["parser"]["parser"]
    table["tokens"] = _keyed(table["tokens"])
    table["states"] = {state: _keyed(actions) for state, actions in _keyed(table["states"]).items()}
    return data
