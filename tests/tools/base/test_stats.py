"""The figures of reports, against values computed by hand."""

from __future__ import annotations

from collections import Counter

import pytest

from tools.base.stats import histogram, mean_of, median, paired_difference, quantile, share_interval, students_t


def test_mean_with_students_interval() -> None:
    found = mean_of([1, 2, 3, 4])
    assert (found.n, found.mean) == (4, 2.5)
    assert found.margin == pytest.approx(3.182 * 1.2909944 / 2, abs=1e-4)


def test_one_value_has_no_interval() -> None:
    assert str(mean_of([7])) == "7.0"
    assert mean_of([]).n == 0


def test_many_values_use_students_factor_too() -> None:
    found = mean_of([0, 1] * 50)
    assert found.margin == pytest.approx(1.98422 * 0.5025189 / 10, abs=1e-5)


@pytest.mark.parametrize(
    ("degrees", "printed"), [(1, 12.706), (30, 2.042), (31, 2.0395), (40, 2.0211), (60, 2.0003), (120, 1.9799)]
)
def test_students_factor_is_that_of_the_tables(degrees: int, printed: float) -> None:
    assert students_t(degrees) == pytest.approx(printed, abs=1e-4)


def test_a_paired_difference_has_the_interval_of_the_differences() -> None:
    """1, 2, 0 and 3 more: the mean is 1.5, the squares around it add up to 5, so the deviation is the root of 5/3."""
    found = paired_difference([10, 200, 30, 4], [11, 202, 30, 7])
    assert (found.n, found.mean) == (4, 1.5)
    assert found.margin == pytest.approx(3.182 * (5 / 3) ** 0.5 / 2, abs=1e-9)


def test_what_is_the_same_twice_differs_by_exactly_nothing() -> None:
    values = [0.1, 7.3, 1e9, 2 / 3]
    assert str(paired_difference(values, values)) == "0.0 ± 0.0"
    with pytest.raises(ValueError):
        paired_difference([1, 2], [1])


def test_share_is_wilsons_interval() -> None:
    low, high = share_interval(5, 10)
    assert (low, high) == (pytest.approx(0.2366, abs=1e-4), pytest.approx(0.7634, abs=1e-4))
    assert share_interval(0, 10)[0] == 0.0
    assert share_interval(10, 10)[1] == pytest.approx(1.0)


def test_quantiles() -> None:
    assert median([3, 1, 2]) == 2
    assert quantile([0, 10], 0.25) == 2.5
    assert quantile([], 0.5) == 0


@pytest.mark.parametrize("q", [0, 0.05, 0.5, 0.62, 1])
def test_values_that_are_counted_give_the_same(q: float) -> None:
    values = [3, 1, 1, 7, 3, 3, 9, 0.5]
    ordered = sorted(values)
    at = q * 7
    low, high = int(at), min(int(at) + 1, 7)
    assert (
        quantile(values, q)
        == quantile(Counter(values), q)
        == ordered[low] + (ordered[high] - ordered[low]) * (at - low)
    )
    assert mean_of(Counter(values)) == mean_of(values)


def test_histogram_counts_every_value_once() -> None:
    values = [1, 1, 2, 30, 31, 99]
    rows = histogram(Counter(values), bins=10)
    assert sum(n for _, _, n in rows) == len(values)
    assert all(b - a == rows[0][1] - rows[0][0] for a, b, _ in rows)
    assert histogram({}) == []
