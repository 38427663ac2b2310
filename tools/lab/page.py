"""A study as one page of HTML that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.files.phrases import phrases_of
from tools.base.stats import quantile
from tools.html.document import document
from tools.html.elements import Html, table, tag, unordered_list
from tools.html.styles import REPORT, page_style
from tools.lab import sentences
from tools.lab.model import Study, StudyLevel
from tools.lab.plots import histograms, interval_plot
from tools.lab.study import BATCH


def study_page(study: Study) -> str:
    """The page as text."""
    say, title = phrases_of(study.lang, "lab"), sentences.title(study)
    parts = [tag("h1", title), tag("h2", say("in_short"))]
    for level in study.levels:
        parts.append(tag("h3", sentences.level_title(study, level)))
        parts.append(unordered_list(sentences.played(study, level)))
        for sort, effects in level.effects.items():
            parts += [tag("p", tag("b", say(sort))), unordered_list(sentences.verdicts(study, effects))]
        if level.no_rule:
            parts.append(tag("p", say(level.no_rule)))
    parts += [tag("p", line) for line in sentences.closing(study)]
    for level in study.levels:
        parts += level_parts(study, level)
    parts += [tag("h2", say("how")), unordered_list(how(study))]
    return document(study.lang, title, Html("\n".join(parts)), style=page_style(REPORT))


def level_parts(study: Study, level: StudyLevel) -> Iterator[Html]:
    """The figures of one level."""
    say = phrases_of(study.lang, "lab")
    yield tag("h2", f"{say('changes')}: {sentences.level_title(study, level)}")
    for sort, effects in level.effects.items():
        shown = [effect for effect in effects if effect.verdict]
        yield tag("h3", say(sort))
        yield tag("p", say("thick_thin"), class_="place")
        yield interval_plot([(sentences.name(study, effect.figure), effect) for effect in shown])
        yield table(sentences.heads(study), sentences.rows(study, effects, True))
        if others := sentences.rows(study, effects, False):
            yield tag("p", say("not_asked"))
            yield table(sentences.heads(study)[:5], others)
    if others := sentences.means(study, level):
        yield tag("h3", say("besides"))
        yield table(("", say("games"), say("mean")), others)
    if first := list(sentences.first_seat(study, level)):
        yield tag("h3", say("who_wins"))
        yield unordered_list(first)
    if level.lengths[1]:
        yield from lengths(study, level)
    if trouble := sentences.trouble(study, level):
        yield tag("h3", say("trouble"))
        yield tag("pre", "\n".join(trouble))


def lengths(study: Study, level: StudyLevel) -> Iterator[Html]:
    """The lengths of the games that are compared, in words and as a plot."""
    say, errata = phrases_of(study.lang, "lab"), phrases_of(study.lang, "errata")
    sides = dict(zip(("before", "after"), level.lengths, strict=True))
    middle = {side: " – ".join(f"{quantile(of, q):g}" for q in (0.25, 0.75)) for side, of in sides.items()}
    alone = study.question.alone
    yield tag("h3", say("lengths"))
    yield tag("p", say("decisions_alone" if alone else "decisions", **middle))
    yield histograms(
        [("" if alone else errata(side), of) for side, of in sides.items() if side == "after" or not alone]
    )


def how(study: Study) -> Iterator[str]:
    """Versions, digests, seeds, and the command again."""
    say, errata = phrases_of(study.lang, "lab"), phrases_of(study.lang, "errata")
    for side, program in zip(("before", "after"), study.programs, strict=True):
        if side == "before" or not study.question.alone:
            parts = {"name": program.named, "version": program.version, "digest": program.digest}
            yield say("rules", side=errata(side), **parts)
    yield say("looks", seed=study.question.seed * 1_000_000, batch=BATCH)
    yield say("method")
    yield say("again", command=study.command)
