"""Routes of the lobby: the games of the host, the form, and what the form opens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from dsl.files.phrases import languages
from interpreter import GameSetupError, RulesetError
from interpreter.bots.levels import LEVELS, SEARCH
from tools.base.errors import CommandEnd, UserError
from tools.base.loading import parse_options
from tools.html.elements import tag
from tools.shows.stand_ins import all_told
from tools.web.page.away import NEVER, PATIENCES
from tools.web.page.frame import plain_page
from tools.web.page.lobby import MOST_TRIALS, form_page, host_page, lobby_page
from tools.web.page.words import say
from tools.web.running.games import name_of, titles, variants
from tools.web.running.room import HERE, PERSON, Room
from tools.web.running.rooms import Rooms, TableSetup, TooManyTables
from tools.web.running.secrets import HOST, HOT, WATCH
from tools.web.server.asking import address_of, chosen_language, path_of, set_cookie, tool_language
from tools.web.server.limits import MOST_FORM, Buckets

SITTING = (PERSON, HERE, *LEVELS)
MOST_SEATS = 64

Form = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Lobby:
    rooms: Rooms
    forms: Buckets
    looks: Buckets

    async def lobby(self, asked: Request) -> Response:
        lang = tool_language(asked)
        if not self.looks.take(address_of(asked)):
            return refusal(lang, say(lang, "slow"), 429)
        return HTMLResponse(lobby_page(lang, titles(lang)))

    async def form(self, asked: Request) -> Response:
        lang, id_ = tool_language(asked), asked.query_params.get("game", "")
        if not self.looks.take(address_of(asked)):
            return refusal(lang, say(lang, "slow"), 429)
        try:
            game = await self.rooms.games.load(name_of(id_, []))
        except (UserError, CommandEnd) as mistake:
            return refusal(lang, str(mistake), 404)
        return HTMLResponse(form_page(chosen_language(asked, game.texts.languages()), game, id_, variants(id_)))

    async def new(self, asked: Request) -> Response:
        """Open a table as the form says. Who plays alone sits down at once; else the links are shown."""
        lang = tool_language(asked)
        if not self.forms.take(address_of(asked)):
            return refusal(lang, say(lang, "slow"), 429)
        form = await read_form(asked)
        if form is None:
            return refusal(lang, say(lang, "wrong_form"), 400)
        try:
            room, secrets = await self.rooms.begin(await self.setup(form), address_of(asked))
        except TooManyTables:
            return refusal(lang, say(lang, "too_many"), 429)
        except (UserError, CommandEnd, GameSetupError, RulesetError) as mistake:
            return refusal(lang, str(mistake), 400)
        lang = chosen_of(form, lang)
        secure = asked.url.scheme == "https"
        people = [place for place in secrets if place not in (WATCH, HOST)]
        if people == [HOT]:
            response: Response = RedirectResponse(f"{path_of(room, HOT)}?lang={lang}", 303)
        else:
            response = HTMLResponse(told_links(room, lang, {p: link(asked, room, p, s) for p, s in secrets.items()}))
        for place in {HOST, *([HOT] if HOT in secrets else [])}:
            set_cookie(response, room, place, secrets[place], secure)
        return response

    async def setup(self, form: Form) -> TableSetup:
        """What a form says. Raises UserError for what it cannot say, and what loading raises."""
        rules = name_of(first(form, "game"), form.get("variant", []))
        game = await self.rooms.games.load(rules)
        rows = [first(form, f"seat{seat}") for seat in range(1, MOST_SEATS + 1)]
        sitting = tuple(searching(form) if who == SEARCH else who for who in rows if who in SITTING)
        chosen = [f"{key.removeprefix('option.')}={values[0]}" for key, values in form.items()
                  if key.startswith("option.") and values[0]]  # fmt: skip
        options = parse_options(game, chosen, first(form, "preset") or None)
        return TableSetup(rules, options, sitting, patience=patience_of(form))


def patience_of(form: Form) -> int:
    """The time that people are waited for, one of those that are offered."""
    return next((time for time in PATIENCES if first(form, "patience") == str(time)), NEVER)


def searching(form: Form) -> str:
    """The name of a bot that searches as often as a form says. Raises UserError."""
    number = first(form, "trials")
    if not (number.isascii() and number.isdecimal()) or not 1 <= int(number[:9]) <= MOST_TRIALS:
        raise UserError(f"a bot that looks ahead does so from 1 to {MOST_TRIALS} times, not '{number[:20]}' times.")
    return f"{SEARCH}:{int(number)}"


async def read_form(asked: Request) -> Form | None:
    """The fields of a form; None for what is too long or no form."""
    body = b""
    async for part in asked.stream():
        body += part
        if len(body) > MOST_FORM:
            return None
    try:
        return parse_qs(body.decode("utf-8"), keep_blank_values=True, max_num_fields=300)
    except ValueError:
        return None


def first(form: Form, key: str) -> str:
    return form.get(key, [""])[0]


def chosen_of(form: Form, lang: str) -> str:
    wanted = first(form, "lang")
    return wanted if wanted in languages() else lang


def refusal(lang: str, why: str, status: int) -> Response:
    return HTMLResponse(plain_page(lang, say(lang, "refused"), tag("p", why)), status)


def link(asked: Any, room: Room, place: str, secret: str) -> str:
    """A link for a place; what stands behind the # is in no log and no `Referer`."""
    return f"{asked.url.scheme}://{asked.url.netloc}{path_of(room, place)}#{secret}"


def told_links(room: Room, lang: str, links: dict[str, str], save: str = "") -> str:
    game = room.table.state.game
    return host_page(lang, game.texts.title(lang), place_names(room, lang), links, save, all_told(game, lang))


def place_names(room: Room, lang: str) -> dict[str, str]:
    """Place -> what it is called."""
    game = room.table.state.game
    words = {HOT: say(lang, "hot"), WATCH: say(lang, "onlooker"), HOST: say(lang, "manage")}
    seats = game.program.seat_kind
    return {place: words.get(place) or game.texts.id(lang, seats, game.names.seat_id(int(place)))
            for place in room.hashes}  # fmt: skip
