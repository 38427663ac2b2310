"""What holds for all tests of this folder: generated examples are the same in every run, none has a time limit, code is
written at once, so that it is the code that is tested, and a text that many tests read is parsed once."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from dsl.syntax.parser import cache_parsed_texts
from interpreter.backends.python.compile import machine

settings.register_profile("repository", deadline=None, derandomize=True, database=None)
settings.load_profile("repository")
cache_parsed_texts()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Iterator[None]:
    before, machine.PATIENCE = machine.PATIENCE, 0
    try:
        return (yield)
    finally:
        machine.PATIENCE = before
