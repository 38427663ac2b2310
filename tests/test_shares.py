"""Every test belongs to the part of some commit, and a part can be had again."""

from tests.shares import is_in

NAMES = [f"tests/some/test_{n}.py::test_it[{k}]" for n in range(40) for k in range(10)]


def part(salt: str, share: int = 2) -> set[str]:
    return {name for name in NAMES if is_in(name, share, salt)}


def test_a_part_is_about_as_large_as_it_says_and_the_same_again() -> None:
    assert 150 < len(part("one")) < 250 and 60 < len(part("one", 4)) < 140
    assert part("one") == part("one") != part("two")


def test_over_a_few_commits_all_tests_run() -> None:
    assert set().union(*(part(f"commit {n}") for n in range(20))) == set(NAMES)
