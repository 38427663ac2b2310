"""`lab`: the study of what overlays do to the balance of a game, reported as text, JSON or a page of HTML."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

from dsl.base.writing import write_atomic
from dsl.driver.reference import RulesetReference
from dsl.files.phrases import phrase
from interpreter import Game
from tools.base.errors import UserError, shorten, unknown_message
from tools.base.loading import choose_backend, choose_language, load_game
from tools.commands.simulate import check_play
from tools.lab.asked import asked_figures
from tools.lab.model import BY_HAND, Study, StudyQuestion
from tools.lab.study import share_of_time, study_level
from tools.pairs.playing import common_seats, compared_rules
from tools.simulation.bots import usual_bot
from tools.simulation.playout import MOST_DECISIONS
from tools.workers.cluster import RAY, connected
from tools.workers.stopping import deadline_after, seconds_of

MOST_GAMES = 1_000_000
SHARE = re.compile(r"(\d{1,2}(?:\.\d{1,6})?|\.\d{1,6}) ?%?")


@dataclass(frozen=True, slots=True)
class StudyRequest:
    """The options behind the names of the rules; `levels`: bots, each of which makes a study of its own."""

    seats: str | None = None
    levels: str | None = None
    until: str = "2%"
    games: int = 10_000
    asked: tuple[str, ...] = ()
    seed: int = 1
    max_decisions: int = MOST_DECISIONS
    backend: str | None = None
    jobs: int | None = None
    cluster: str | None = None
    time_limit: str | None = None


def study_command(
    ruleset: str, overlays: list[str], request: StudyRequest, as_json: bool, html: Path | None, lang: str | None = None
) -> int:
    seconds = seconds_of(request.time_limit)
    if not 1 <= request.games <= MOST_GAMES:
        raise UserError(f"--games should be a number from 1 to {MOST_GAMES}, but {request.games} was given.")
    if request.cluster not in (None, RAY):
        raise UserError(unknown_message("cluster", shorten(str(request.cluster)), (RAY,)))
    rules = compared_rules(ruleset, overlays)
    backend = choose_backend(request.backend, request.games)
    before = load_game(rules[0], backend)
    games = before, before if rules[0] == rules[1] else load_game(rules[1], backend)
    lang = choose_language(games[1], lang)
    bots = check_play(request.levels or usual_bot(before), request.jobs, request.max_decisions)
    question = question_of(games, rules, request, backend)
    study = study_of(games, question, command_again(ruleset, overlays, request), lang)
    deadline, stopped = deadline_after(seconds), False
    with (
        connected(request.jobs)
        if request.cluster
        else contextlib.nullcontext(request.jobs or os.cpu_count() or 1) as workers
    ):
        for number, bot in enumerate(bots):
            due = share_of_time(deadline, len(bots) - number)
            level, notice = study_level(games, question, bot, workers, False, lang, due)
            study.levels.append(level)
            if notice and request.backend is not None:
                print(f"note: {notice}; the reference plays.", file=sys.stderr)
            stopped = level.stop == BY_HAND
            if stopped:
                break
    if html is not None:
        from tools.lab.page import study_page

        write_atomic(html, study_page(study))
    if as_json:
        print(json.dumps(study.to_json(), ensure_ascii=False, indent=1))
    else:
        from tools.lab.text import print_study

        print_study(study)
        if html is not None:
            print(f"\n{phrase(lang, 'errata', 'written', file=html)}")
    return 1 if stopped or any(game.failure for level in study.levels for game in level.left_out) else 0


def study_of(games: tuple[Game, Game], question: StudyQuestion, command: str, lang: str) -> Study:
    """The study with nothing played yet."""
    texts = games[1].texts

    def name_of(id_: str) -> str:
        return texts.find(lang, id_) or texts.thing(lang, id_)

    return Study(question, (games[0].program, games[1].program), command, lang, name_of)


def question_of(
    games: tuple[Game, Game], rules: tuple[RulesetReference, RulesetReference], request: StudyRequest, backend: str
) -> StudyQuestion:
    """The question that is asked by the options of a command."""
    seats = tuple(common_seats(request.seats, games))
    asked = asked_figures(games[1].program, seats, request.asked, rules[0] == rules[1])
    until = share_from(request.until)
    return StudyQuestion(rules, seats, asked, until, request.games, request.seed, request.max_decisions, backend)


def share_from(text: str) -> float:
    """The share that `--until` names: `2%`, or `2`."""
    found = SHARE.fullmatch(text.strip())
    if not found or not float(found[1]):
        raise UserError(f"--until should be a share between 0% and 100%, as 2%, but '{shorten(text)}' was given.")
    return float(found[1]) / 100


def command_again(ruleset: str, overlays: list[str], request: StudyRequest) -> str:
    """The command, with the options that the result depends on."""
    words = ["rulewright", "lab", ruleset, *overlays]
    options = {"--seats": request.seats, "--levels": request.levels, "--until": request.until}
    options |= {"--games": str(request.games), "--seed": str(request.seed), "--for": request.time_limit}
    if request.max_decisions != MOST_DECISIONS:
        options["--max-decisions"] = str(request.max_decisions)
    for name, value in options.items():
        words += [name, value] if value is not None else []
    return shlex.join([*words, *(word for figure in request.asked for word in ("--ask", figure))])
