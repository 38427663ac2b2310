"""A server for each test, with a store of its own; and for tests with a browser one for all of a module."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tools.web.server import Served, served


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "tables.sqlite") as found:
        yield found


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from tests.tools.web.site import running

    with running(tmp_path_factory.mktemp("web") / "tables.sqlite") as found:
        yield found


@pytest.fixture(scope="module")
def started() -> Iterator[Any]:
    from tests.tools.chromium import chromium

    with chromium() as found:
        yield found


@pytest.fixture
def browser(started: Any, site: Any) -> Iterator[Any]:
    from tests.tools.web.browser import Browser

    site.rooms.opened.clear()
    found = Browser(started, site)
    yield found
    assert found.faults == []  # no error, and nothing that the policy of the page has refused
