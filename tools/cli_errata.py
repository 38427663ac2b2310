"""The commands of `rulewright errata`: one function a command, each of which loads its module when it is called."""

# Annotations are evaluated, not strings: typer reads those of every command at each start.
from pathlib import Path
from typing import Annotated

import typer

from tools.arguments import AsJson, GamesBackend, Jobs, Language, MaxDecisions, Ruleset, SeatNumbers, TimeLimit

errata = typer.Typer(help="Examine errata and variants before they take effect.", rich_markup_mode=None)


@errata.command("accept")
def errata_accept(
    ruleset: Ruleset,
    overlays: Annotated[list[str] | None, typer.Argument(help="Overlays of it.", metavar="[OVERLAY]...")] = None,
) -> int:
    """Write into overlays the digests of the present text of what they change."""
    from tools.errata.accept import accept_command

    return accept_command(ruleset, overlays or [])


@errata.command("bisect")
def errata_bisect(
    ruleset: Ruleset,
    rulings: Annotated[list[str], typer.Argument(help="Names of rulings.", metavar="RULING...")],
    as_json: AsJson = False,
    lang: Language = None,
) -> int:
    """Say since which errata rulings come out as they do: their outcome as of the day of each."""
    from tools.errata.bisect import bisect_command

    return bisect_command(ruleset, rulings, as_json, lang)


@errata.command("diff")
def errata_diff(
    ruleset: Ruleset,
    overlays: Annotated[
        list[str] | None, typer.Argument(help="Overlays to compare the ruleset with.", metavar="[OVERLAY]...")
    ] = None,
    sample: Annotated[int, typer.Option("--sample", help="Random games to record and to replay under both.")] = 6,
    recorded: Annotated[
        list[Path] | None, typer.Option("--recorded", help="A saved game to use instead; may be repeated.")
    ] = None,
    games: Annotated[
        int, typer.Option("--games", help="Games by bots under each, in pairs of one seed, to compare the balance.")
    ] = 0,
    seats: SeatNumbers = None,
    bot: Annotated[
        str | None,
        typer.Option(
            "--bot",
            help="Of these games: random, greedy, search:N or several with commas; greedy if rules say what is good.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the sample and the games.")] = 1,
    max_decisions: MaxDecisions = 50_000,
    backend: GamesBackend = None,
    jobs: Jobs = None,
    as_json: AsJson = False,
    html: Annotated[Path | None, typer.Option("--html", help="Write the report to this page too.")] = None,
    lang: Language = None,
    time_limit: TimeLimit = None,
) -> int:
    """Show what overlays do: rules changed, rulings with another outcome, recorded games that diverge, balance."""
    from tools.errata.diff import BalanceRequest, diff_command

    balance = BalanceRequest(games, seats, bot, seed, max_decisions, jobs, backend)
    return diff_command(ruleset, overlays or [], sample, recorded or [], balance, as_json, html, lang, time_limit)
