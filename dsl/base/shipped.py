"""Where the games lie that come with the program: in a checkout beside its packages, in an installation in the folder
`rulewright` beside them, because `rulesets` and `cards` are no names to take in other people's libraries."""

from __future__ import annotations

from pathlib import Path

import dsl

BESIDE = Path(dsl.__file__).resolve().parents[1]
INSTALLED = BESIDE / "rulewright"


def shipped_home() -> Path:
    """The folder that holds `rulesets` and `cards`; whether they are there is for the caller to see."""
    return INSTALLED if (INSTALLED / "rulesets").is_dir() else BESIDE
