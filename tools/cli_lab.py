"""The commands of `rulewright lab`: one function a command, each of which loads its module when it is called."""

# Annotations are evaluated, not strings: typer reads those of every command at each start.
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from tools.arguments import (
    AsJson,
    GamesBackend,
    GamesCluster,
    Jobs,
    Language,
    MaxDecisions,
    OptionList,
    Preset,
    Ruleset,
    SeatNumbers,
    TimeLimit,
)

STUDY = "study"  # the command that is meant where the first word is no command


class StudyGroup(TyperGroup):
    """A group whose command `study` may be left out, so that a game may stand first."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        named = not args or args[0] in self.commands or args[0] in ctx.help_option_names
        return super().parse_args(ctx, args if named else [STUDY, *args])


lab = typer.Typer(
    cls=StudyGroup,
    help="Find out by games of bots how balanced a game is: rulewright lab RULESET [OVERLAY]...",
    rich_markup_mode=None,
)


@lab.command(STUDY)
def lab_study(
    ruleset: Ruleset,
    overlays: Annotated[
        list[str] | None,
        typer.Argument(
            help="Overlays to compare the ruleset with; the ruleset alone if left out.", metavar="[OVERLAY]..."
        ),
    ] = None,
    seats: SeatNumbers = None,
    levels: Annotated[
        str | None,
        typer.Option("--levels", help="Bots with commas, each a study of its own; greedy if rules say what is good."),
    ] = None,
    until: Annotated[str, typer.Option("--until", help="Stop when decided; what counts as the same.")] = "2%",
    games: Annotated[int, typer.Option("--games", help="Pairs of games at most, of each level.")] = 10_000,
    ask: Annotated[
        list[str] | None,
        typer.Option(
            "--ask", help="A figure to decide, as 'wins of seat 1'; may be repeated. Wins of seats if left out."
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the games.")] = 1,
    max_decisions: MaxDecisions = 50_000,
    backend: GamesBackend = None,
    jobs: Jobs = None,
    cluster: GamesCluster = None,
    as_json: AsJson = False,
    html: Annotated[Path | None, typer.Option("--html", help="Write the report to this page too.")] = None,
    lang: Language = None,
    time_limit: TimeLimit = None,
) -> int:
    """Decide what overlays change in the balance of a game; the word `study` may be left out."""
    from tools.lab.command import StudyRequest, study_command

    request = StudyRequest(
        seats, levels, until, games, tuple(ask or ()), seed, max_decisions, backend, jobs, cluster, time_limit
    )
    return study_command(ruleset, overlays or [], request, as_json, html, lang)


@lab.command("figures")
def lab_figures(
    ruleset: Ruleset,
    seats: SeatNumbers = None,
    bot: Annotated[
        str | None, typer.Option("--bot", help="As for simulate; greedy if rules say what is good, else random.")
    ] = None,
    games: Annotated[int, typer.Option("--games", help="Games with each number of seats.")] = 100,
    choice_time: Annotated[
        float, typer.Option("--choice-time", help="Seconds that people are taken to need for a choice.")
    ] = 20,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the games.")] = 1,
    jobs: Jobs = None,
    max_decisions: MaxDecisions = 50_000,
    as_json: AsJson = False,
    write: Annotated[
        bool, typer.Option("--write", help="Keep them in the folder of the ruleset, for its page on the website.")
    ] = False,
    lang: Language = None,
    time_limit: TimeLimit = None,
) -> int:
    """Say how long a game is, how wide its choices are, who wins and who leads: the figures for a rulebook."""
    from tools.figures.command import figures_command

    return figures_command(
        ruleset, seats, bot, games, choice_time, seed, jobs, max_decisions, as_json, write, lang, time_limit
    )


MatchSeats = Annotated[int | None, typer.Option("--seats", help="Number of seats; two, or the least, if left out.")]


@lab.command("ladder")
def lab_ladder(
    ruleset: Ruleset,
    levels: Annotated[
        str | None,
        typer.Option("--levels", help="Bots from weak to strong; random, greedy and search:50 to :800 if left out."),
    ] = None,
    games: Annotated[int, typer.Option("--games", help="Games of each match, an even number.")] = 100,
    seats: MatchSeats = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the games.")] = 1,
    max_decisions: MaxDecisions = 50_000,
    jobs: Jobs = None,
    option: OptionList = None,
    preset: Preset = None,
    as_json: AsJson = False,
    lang: Language = None,
    time_limit: TimeLimit = None,
) -> int:
    """Let each level of play have a match with the next, and say how strong they are."""
    from tools.matches.command import MatchRequest, ladder_command

    asked = MatchRequest(ruleset, games, seats, seed, jobs, max_decisions, option or [], preset, as_json, lang)
    return ladder_command(asked, levels, time_limit)


@lab.command("calibrate")
def lab_calibrate(
    ruleset: Ruleset,
    games: Annotated[int, typer.Option("--games", help="Greedy games, and those of each match; even.")] = 100,
    iterations: Annotated[int, typer.Option("--iterations", help="Of the searches of the matches.")] = 100,
    seats: MatchSeats = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the games.")] = 1,
    max_decisions: MaxDecisions = 50_000,
    jobs: Jobs = None,
    option: OptionList = None,
    preset: Preset = None,
    as_json: AsJson = False,
    lang: Language = None,
) -> int:
    """Find settings of a search that are stronger than the usual ones, for the manifest."""
    from tools.matches.command import MatchRequest, calibrate_command

    asked = MatchRequest(ruleset, games, seats, seed, jobs, max_decisions, option or [], preset, as_json, lang)
    return calibrate_command(asked, iterations)
