"""A study as text for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from dsl.files.phrases import phrases_of
from tools.base.console import stdout
from tools.lab import sentences

if TYPE_CHECKING:
    from tools.base.console import CommandConsole
    from tools.lab.model import Study, StudyLevel


def print_study(study: Study) -> None:
    """Print a study to standard output."""
    console = stdout()
    console.print(Text(sentences.title(study), style="bold"), soft_wrap=True)
    for level in study.levels:
        print_level(console, study, level)
    console.print()
    for line in sentences.closing(study):
        console.print(line, soft_wrap=True)


def print_level(console: CommandConsole, study: Study, level: StudyLevel) -> None:
    say = phrases_of(study.lang, "lab")
    print_head(console, sentences.level_title(study, level))
    for line in sentences.played(study, level):
        console.print(line, soft_wrap=True)
    for sort, effects in level.effects.items():
        print_head(console, say(sort))
        for line in sentences.verdicts(study, effects):
            console.print(line, soft_wrap=True)
        if table := sentences.rows(study, effects, True):
            console.print()
            console.print_rows(sentences.heads(study), table, numbers=1)
        if others := sentences.rows(study, effects, False):
            console.print()
            console.print(say("not_asked"), soft_wrap=True)
            console.print_rows(sentences.heads(study)[:5], others, numbers=1)
    if level.no_rule:
        console.print()
        console.print(say(level.no_rule), soft_wrap=True)
    if others := sentences.means(study, level):
        print_head(console, say("besides"))
        console.print_rows(("", say("games"), say("mean")), others, numbers=1)
    if first := list(sentences.first_seat(study, level)):
        print_head(console, say("who_wins"))
        for line in first:
            console.print(line, soft_wrap=True)
    if trouble := sentences.trouble(study, level):
        print_head(console, say("trouble"))
        for line in trouble:
            console.print(line, soft_wrap=True)


def print_head(console: CommandConsole, text: str) -> None:
    console.print()
    console.print(Text(text, style="bold underline"), soft_wrap=True)
