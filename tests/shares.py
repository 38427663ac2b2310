"""A part of the tests, another one for each commit: `pytest -p tests.shares --share 3 --of COMMIT` runs every third.

Which tests these are follows from their names and from what stands behind `--of` alone, so that a run can be had again;
over a few commits all of them run. `make soak` runs all at once.
"""

from __future__ import annotations

from hashlib import sha256

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("shares")
    group.addoption("--share", type=int, default=1, help="run one of so many parts of the tests")
    group.addoption("--of", default="", help="what decides which part, such as a commit")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    share, salt = config.getoption("share"), config.getoption("of")
    if share > 1:
        kept = {item.nodeid for item in items if is_in(item.nodeid, share, salt)}
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in kept])
        items[:] = [item for item in items if item.nodeid in kept]


def is_in(name: str, share: int, salt: str) -> bool:
    """Whether a test belongs to the part that `salt` chooses out of `share` parts."""
    return int.from_bytes(sha256(f"{salt} {name}".encode()).digest()[:8]) % share == 0
