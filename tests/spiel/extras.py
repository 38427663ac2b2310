"""Packages of extras that test modules need: without them a module is skipped, or fails where extras are required.

`RULEWRIGHT_EXTRAS=required` in the environment requires them: a run that skipped the proof must not look like one that
made it.
"""

from __future__ import annotations

import os
from importlib.util import find_spec

import pytest


def require(package: str, extra: str) -> None:
    if find_spec(package) is not None:
        return
    message = f"`{package}` is not installed: pip install -e '.[{extra}]'"
    if os.environ.get("RULEWRIGHT_EXTRAS") == "required":
        raise ModuleNotFoundError(message)
    pytest.skip(message, allow_module_level=True)
