"""The sentences and rows of a study, for a terminal and for a page alike."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.files.phrases import Say, phrases_of
from tools.base.stats import Mean
from tools.lab.effects import SAME, UNDECIDED, Finding
from tools.lab.model import EVEN, KNOWN, Study, StudyLevel
from tools.lab.sequence import ANYTHING, ERROR
from tools.pairs.figures import SEAT_WINS, Figure, figure_text
from tools.pairs.trouble import game_lines
from tools.simulation.report import bots_text

Row = tuple[str, ...]


def shown(mean: Mean) -> str:
    """A figure with its margin, with two digits where one would hide it."""
    if mean.margin is None or not 0 < mean.margin < 1:
        return str(mean)
    return f"{mean.mean:.2f} ± {mean.margin:.2f}"


def signed(value: float) -> str:
    """A difference, with its sign and as many digits as tell it from nothing."""
    return f"{value:+.2f}" if abs(value) < 1 else f"{value:+.1f}"


def title(study: Study) -> str:
    question, say = study.question, phrases_of(study.lang, "lab")
    if question.alone:
        return say("alone", game=question.rules[0].label)
    return say("title", before=question.rules[0].label, after=question.rules[1].label)


def level_title(study: Study, level: StudyLevel) -> str:
    seats = ", ".join(map(str, study.question.seats))
    bots = bots_text((level.bot,), phrases_of(study.lang, "simulate"))
    return phrases_of(study.lang, "lab")("level", bots=bots, seats=seats, seed=study.question.seed)


def played(study: Study, level: StudyLevel) -> list[str]:
    """The number of games, and why there were no more."""
    say = phrases_of(study.lang, "lab")
    key = "played_alone" if study.question.alone else "played"
    return [say(key, n=level.compared, alike=level.alike), say(f"stop_{level.stop}", n=level.played)]


def verdicts(study: Study, effects: list[Finding]) -> Iterator[str]:
    """A sentence about each figure that was asked; first those that are decided."""
    say = phrases_of(study.lang, "lab")
    asked = [effect for effect in effects if effect.verdict]
    for effect in sorted(asked, key=lambda effect: effect.verdict == UNDECIDED):
        yield verdict(study, effect, say)


def verdict(study: Study, effect: Finding, say: Say) -> str:
    figure = name(study, effect.figure)
    if effect.valid == ANYTHING:
        return say("too_few", figure=figure, n=effect.difference.n)
    low, high = map(signed, effect.valid)
    parts = {"figure": figure, "by": signed(effect.difference.mean), "low": low, "high": high}
    margin = f"{effect.margin:.3g}" if effect.verdict == SAME else ""
    return say(f"is_{effect.verdict}", margin=margin, **parts)


def name(study: Study, figure: Figure) -> str:
    return figure_text(figure, study.lang, study.name_of)


def heads(study: Study) -> Row:
    say, errata = phrases_of(study.lang, "lab"), phrases_of(study.lang, "errata")
    alone = study.question.alone
    return (
        "",
        say("games") if alone else errata("pairs"),
        say("share") if alone else errata("before"),
        say("wins") if alone else errata("after"),
        errata("by"),
        say("valid"),
        say("verdict"),
    )


def rows(study: Study, effects: list[Finding], asked: bool) -> list[Row]:
    """The figures that were asked, or the others, of which a game that is studied alone says no difference."""
    if study.question.alone and not asked:
        return []
    found = []
    for effect in effects:
        if bool(effect.verdict) == asked:
            means = shown(effect.before), shown(effect.after), shown(effect.difference)
            row = (name(study, effect.figure), str(effect.difference.n), *means)
            found.append((*row, *judged(study, effect)) if asked else row)
    return found


def judged(study: Study, effect: Finding) -> Row:
    """The last cells of a figure that was asked."""
    say = phrases_of(study.lang, "lab")
    low, high = (f"{end:.2f}" for end in effect.valid)
    return "" if effect.valid == ANYTHING else say("between", low=low, high=high), say(effect.verdict)


def means(study: Study, level: StudyLevel) -> list[Row]:
    """The other figures of a game that is studied alone."""
    return [
        (name(study, effect.figure), str(effect.after.n), shown(effect.after))
        for effect in level.effects.get(EVEN, ())
        if not effect.verdict
    ]


def first_seat(study: Study, level: StudyLevel) -> Iterator[str]:
    """The wins of the first seat against an even share, before and after."""
    say = phrases_of(study.lang, "lab")
    for effect in level.effects.get(KNOWN) or level.effects.get(EVEN, []):
        figure = effect.figure
        if figure.place == SEAT_WINS and figure.seat == 1 and figure.seats > 1:
            even = f"{100 / figure.seats:.1f}"
            key = "first_seat_alone" if study.question.alone else "first_seat"
            sides = {"before": shown(effect.before), "after": shown(effect.after)}
            yield say(key, seats=figure.seats, even=even, **sides)


def trouble(study: Study, level: StudyLevel) -> list[str]:
    """The games that do not count."""
    say, lab = phrases_of(study.lang, "errata"), phrases_of(study.lang, "lab")
    failed = [game for game in level.left_out if game.failure]
    others = [game for game in level.left_out if not game.failure]
    lines = []
    if others:
        lines += [say("not_over_n", n=len(others), most=study.question.max_decisions), *game_lines(others, say)]
    if failed:
        lines += [lab("failed", n=len(failed)), *game_lines(failed, say)]
    return [*lines, lab("left_out")] if lines else []


def closing(study: Study) -> list[str]:
    """The two things that whoever reads a verdict should know."""
    say = phrases_of(study.lang, "lab")
    within = f"{100 * study.question.until:g}"
    return [say("error", n=round(100 * ERROR), within=within), say("people")]
