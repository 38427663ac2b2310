"""The lobby as HTML: the games of this host, the form for a new table, the links of a table that was opened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dsl.files.phrases import languages
from interpreter import Game
from interpreter.bots.levels import GREEDY, RANDOM, SEARCH, levels
from tools.base.loading import members_of
from tools.html.elements import Html, tag
from tools.shows.stand_ins import all_told
from tools.web.page.away import NEVER, PATIENCES
from tools.web.page.frame import home_bar, language_link, served_page, stand_ins
from tools.web.page.words import say

TRIALS, MOST_TRIALS = 400, 5000  # of a bot that searches: what the form says at first, and what it may say


def lobby_page(lang: str, titles: Mapping[str, str]) -> str:
    """The games of this host; the script adds the tables that this browser has sat at."""
    games = [tag("li", tag("a", title, href=f"/new?game={id_}&lang={lang}")) for id_, title in titles.items()]
    inside = [
        tag("h1", "Rulewright"),
        tag("section", tag("h2", say(lang, "tables")), tag("ul", id="mine"), id="tables", hidden=True),
        tag("section", tag("h2", say(lang, "new_table")), tag("ul", games, class_="games")),
    ]
    nav = tag("nav", [language_link(lang, one) for one in languages()], aria_label=say(lang, "language"))
    return served_page(lang, "Rulewright", [home_bar(nav), tag("main", inside, class_="plain")])


def form_page(lang: str, game: Game, id_: str, variants: Sequence[str]) -> str:
    """The form for a new table of one game."""
    program = game.program
    low, high = program.seats
    bots = levels(game)
    hidden = [tag("input", type="hidden", name=name, value=value) for name, value in (("game", id_), ("lang", lang))]
    seats = [seat_row(lang, game, seat, low, bots) for seat in range(1, high + 1)]
    fields = [
        tag(
            "fieldset",
            tag("legend", say(lang, "seats")),
            seats,
            trials_row(lang) if SEARCH in bots else None,
            patience_row(lang),
        ),
        tag("fieldset", tag("legend", say(lang, "variants")), [checkbox(name) for name in variants])
        if variants
        else None,
        tag("fieldset", tag("legend", say(lang, "preset")), list(option_rows(lang, game))) if program.options else None,
    ]
    title = game.texts.title(lang)
    form = tag("form", hidden, fields, tag("button", say(lang, "begin")), method="post", action="/new")
    inside = [tag("h1", title), form, stand_ins(lang, all_told(game, lang))]
    return served_page(lang, title, [home_bar(), tag("main", inside, class_="plain")])


def seat_row(lang: str, game: Game, seat: int, low: int, bots: Sequence[str]) -> Html:
    """Who sits at a seat: at the first one somebody at this screen, at the others that are needed bots."""
    bot = GREEDY if GREEDY in bots else RANDOM
    chosen = "here" if seat == 1 else bot if seat <= low else "nobody"
    kinds = [("here", "here"), ("person", "person"), *((bot, f"bot_{bot}") for bot in bots),
             *([("nobody", "nobody")] if seat > low else [])]  # fmt: skip
    names = game.texts.id(lang, game.program.seat_kind, game.names.seat_id(seat))
    choices = [tag("option", say(lang, word), value=value, selected=value == chosen) for value, word in kinds]
    return tag("p", tag("label", f"{names} ", tag("select", choices, name=f"seat{seat}")))


def trials_row(lang: str) -> Html:
    """The number of trials of a bot that searches, at whatever seat."""
    number = tag("input", type="number", name="trials", value=str(TRIALS), min="1", max=str(MOST_TRIALS))
    return tag("p", tag("label", say(lang, "trials", most=MOST_TRIALS), " ", number))


def patience_row(lang: str) -> Html:
    """The time that people are waited for."""
    times = [tag("option", say(lang, f"patience_{time}"), value=str(time)) for time in (NEVER, *PATIENCES)]
    return tag("p", tag("label", say(lang, "patience"), " ", tag("select", times, name="patience")))


def checkbox(name: str) -> Html:
    title = name.replace("_", " ")
    return tag("p", tag("label", tag("input", type="checkbox", name="variant", value=name), f" {title}"))


def option_rows(lang: str, game: Game) -> Iterable[Html]:
    """The presets, and each option by itself, which comes before a preset."""
    program = game.program
    if program.presets:
        names = [tag("option", say(lang, "preset_none"), value="")]
        names += [
            tag("option", game.texts.find(lang, f"preset.{name}") or name.replace("_", " "), value=name)
            for name in program.presets
        ]
        yield tag("p", tag("label", say(lang, "preset"), " ", tag("select", names, name="preset")))
    for option in program.options:
        title = game.texts.find(lang, option.name) or option.name.replace("_", " ")
        members = [tag("option", say(lang, "preset_none"), value="")]
        members += [tag("option", game.texts.id(lang, option.domain, m).replace("_", " "), value=m)
                    for m in members_of(game, option.domain)]  # fmt: skip
        yield tag("p", tag("label", f"{title} ", tag("select", members, name=f"option.{option.name}")))


def host_page(
    lang: str,
    title: str,
    seats: Mapping[str, str],
    links: Mapping[str, str],
    save: str = "",
    made_up: Sequence[str] = (),
) -> str:
    """The links of a table, for who opened it. `seats`: place -> what it is called; `links`: those that may be shown
    now, by place; `save`: where the game can be had as a file; `made_up`: what is told of stand-ins."""
    rows = [tag("tr", tag("th", name, scope="row"), tag("td", link_of(lang, place, links.get(place, ""))))
            for place, name in seats.items()]  # fmt: skip
    inside = [
        tag("h1", title),
        tag("p", say(lang, "links_told" if links else "link_lost"), class_="soft"),
        tag("div", tag("table", tag("tbody", rows)), class_="wide"),
        tag("p", tag("a", say(lang, "save_file"), href=save, download=True)) if save else None,
        tag("form", tag("button", say(lang, "remove")), method="post", action="remove") if not links else None,
        stand_ins(lang, made_up),
    ]
    return served_page(lang, title, [home_bar(), tag("main", inside, class_="plain")])


def link_of(lang: str, place: str, link: str) -> Html:
    if link:
        return tag("a", link, href=link, class_="link")
    hidden = tag("input", type="hidden", name="place", value=place)
    return tag("form", hidden, tag("button", say(lang, "link_new")), method="post", action="link")
