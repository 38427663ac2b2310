"""Packages of extras that test modules need: without them a module is skipped."""

from __future__ import annotations

from importlib.util import find_spec

import pytest


def require(package: str, extra: str) -> None:
    if find_spec(package) is None:
        pytest.skip(f"`{package}` is not installed: pip install -e '.[{extra}]'", allow_module_level=True)
