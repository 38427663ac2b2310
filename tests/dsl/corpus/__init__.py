"""Rules text for the parser's tests: fragments of five games, and every construct of the language once."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent
TEXTS: dict[str, str] = {path.name: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.rules"))}
