"""Settings of a search that are stronger in a game than the usual ones, found by short matches.

The scale of `evaluate` is fitted to greedy games first. Then each setting in turn has its candidates, which play the
settings found so far. One takes their place only where its share of wins is clearly above one half, by an interval that
allows for all candidates together: 95% are kept of all runs in which no candidate is better.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from statistics import NormalDist
from typing import Any

from dsl.program import SETTINGS, SearchSettings
from interpreter import Game
from interpreter.bots.scale import ALONE, USUAL, scale_of
from tools.base.stats import share_interval
from tools.matches.logistic import Reading, Scale, fitted_scale
from tools.matches.tally import MatchResult

CUTS = (4, 16)
EXPLORING = (15, 50)  # with `evaluate`
EXPLORING_ALONE = (30, 150)
ERROR = 0.05  # for all candidates of a run together
WIDER = 3  # a search may do better with a scale that is so many times the usual one
NEAR = 1.25  # a fitted scale within this factor of the usual one is no candidate

PlayMatches = Callable[[Sequence[tuple[str, str]], int], tuple[list[MatchResult], bool]]
"""Plays matches, with seeds of their own for each number of a round; also whether it was stopped before their end."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A candidate against the settings found before it; `low` and `high`: of its share of wins."""

    setting: str
    value: int
    before: int
    result: MatchResult
    low: float
    high: float

    @property
    def clear(self) -> bool:
        return self.low > 0.5


@dataclass(slots=True)
class Calibration:
    """`fits`: the scale in each third of greedy games and in all; `candidates`: how many there were to be tried;
    `found`: what differs from the usual settings."""

    usual: SearchSettings
    greedy_games: int = 0
    fits: list[Scale | None] = field(default_factory=list)
    candidates: int = 0
    trials: list[Trial] = field(default_factory=list)
    found: SearchSettings = SearchSettings()
    interrupted: bool = False  # stopped before the end: what was played by then counts

    def manifest_line(self) -> str:
        """The line of the manifest that says what was found; empty if nothing was."""
        said = ", ".join(f"{key}: {value}" for key, value in asdict(self.found).items() if value is not None)
        return f"search: {{{said}}}" if said else ""

    def to_json(self) -> dict[str, Any]:
        return {
            "interrupted": self.interrupted,
            "usual": asdict(self.usual),
            "greedy_games": self.greedy_games,
            "scales": [
                fit and {key: value and round(value, 1) for key, value in asdict(fit).items()} for fit in self.fits
            ],
            "candidates": self.candidates,
            "trials": [
                {
                    "setting": t.setting,
                    "value": t.value,
                    "before": t.before,
                    "clear": t.clear,
                    "interval": [round(t.low, 4), round(t.high, 4)],
                    **t.result.to_json(),
                }
                for t in self.trials
            ],
            "found": asdict(self.found),
            "manifest": self.manifest_line(),
            "times": [t.result.times_to_json() for t in self.trials],
        }


def usual_settings(game: Game) -> SearchSettings:
    """The settings where neither a name nor the manifest says others."""
    judged = game.program.evaluate >= 0
    return SearchSettings(game.cached(scale_of) if judged else None, *(USUAL if judged else ALONE))


def calibrate(
    game: Game, greedy: Sequence[Sequence[Sequence[Reading]]], play: PlayMatches, iterations: int
) -> Calibration:
    """`greedy`: the readings of each greedy game in its thirds, where there is an `evaluate`."""
    usual = usual_settings(game)
    found = Calibration(usual, len(greedy))
    if greedy:
        found.fits = [fitted_scale([thirds[n] for thirds in greedy]) for n in range(len(greedy[0]))]
        found.fits.append(fitted_scale([[r for third in thirds for r in third] for thirds in greedy]))
    rounds = candidates(usual, found.fits[-1] if found.fits else None)
    found.candidates = sum(map(len, rounds.values()))
    deviations = NormalDist().inv_cdf(1 - ERROR / (2 * found.candidates))
    now = usual
    for number, (setting, values) in enumerate(rounds.items()):
        before = getattr(now, setting)
        bots = [(bot_name(iterations, now), bot_name(iterations, replace(now, **{setting: v}))) for v in values]
        matches, found.interrupted = play(bots, number)
        for value, match in zip(values, matches, strict=True):
            interval = share_interval(match.wins[1], match.games, deviations)
            if match.pairs:  # else the run was stopped before the first one
                found.trials.append(Trial(setting, value, before, match, *interval))
        better = [trial for trial in found.trials if trial.setting == setting and trial.clear]
        if better:
            best = max(better, key=lambda trial: trial.result.wins[1])
            now = replace(now, **{setting: best.value})
            found.found = replace(found.found, **{setting: best.value})
        if found.interrupted:
            break
    return found


def candidates(usual: SearchSettings, fit: Scale | None) -> dict[str, tuple[int, ...]]:
    """The values that are tried of each setting, in their order."""
    if usual.scale is None:
        return {"exploring": EXPLORING_ALONE}
    scales = [round_figure(WIDER * usual.scale)]
    if fit is not None and not 1 / NEAR <= fit.scale / usual.scale <= NEAR:
        scales.insert(0, round_figure(fit.scale))
    return {"scale": tuple(scales), "exploring": EXPLORING, "cut": CUTS}


def round_figure(value: float) -> int:
    """A scale with two digits that count."""
    low, high = SETTINGS["scale"]
    return min(max(low, int(float(f"{value:.2g}"))), high)


def bot_name(iterations: int, settings: SearchSettings) -> str:
    """The name of a bot that searches with all these settings, whatever the manifest says."""
    said = (f":{key}={value}" for key, value in asdict(settings).items() if value is not None)
    return f"search:{iterations}{''.join(said)}"
