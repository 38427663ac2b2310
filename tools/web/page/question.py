"""A question as HTML: its options as buttons with their numbers, grouped as the terminal lists them, and what else may
be done beside answering.

The number of a button is that of its option in the decision; the browser sends it back with the version of the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from interpreter import Decision, Option
from tools.html.elements import Content, Html, tag
from tools.shows.messages import message
from tools.shows.presenter import Presenter
from tools.table.listing import GROUPED_FROM, HEADED_FROM, Listing, by_first_word, group_by_action, list_options
from tools.web.page.marks import Marks
from tools.web.page.words import say

FOLDED_FROM = 60  # options of one group that are folded away, since the things can be clicked


@dataclass(frozen=True, slots=True)
class Beside:
    """What a seat may do besides answering. `ask`: ask all to take back; `now`: its actions at any moment; `pays`:
    whether the rules have payments that can be chosen; `wishes`: buttons for what else is asked of all."""

    undo: bool = False
    redo: bool = False
    ask: bool = False
    wait: bool = False
    pays: bool = False
    now: tuple[Option, ...] = ()
    wishes: Html = Html()


def question(marks: Marks, decision: Decision, beside: Beside) -> Iterator[Content]:
    """The prompt, the options, and the buttons beside them."""
    presenter = marks.presenter
    lang = presenter.lang
    listing = list_options(decision, lang)
    yield tag("h2", decision.prompt(lang), class_="prompt", tabindex="-1", id="prompt")
    if decision.actor != decision.seat_id:
        yield tag("p", say(lang, "as_actor", who=actor_text(presenter, decision)), class_="soft")
    yield tag("div", tools(lang, beside, bool(decision.options)), class_="tools")
    yield tag("div", groups(marks, listing), class_="options")
    if listing.later:
        yield tag("p", listing.later_text().strip(), class_="soft")
    if decision.undecided:
        withheld = ", ".join(o.text(lang) for o in decision.undecided)
        tries = presenter.program.limits.tries
        yield tag("p", message(lang, "undecided", tries=tries, answers=withheld).strip(), class_="soft")
    yield moment_buttons(lang, beside.now)


def actor_text(presenter: Presenter, decision: Decision) -> str:
    type_ = decision.site.actor_type
    return presenter.game.texts.value(presenter.lang, decision.actor_value, type_)


def tools(lang: str, beside: Beside, answers: bool) -> Iterator[Html]:
    """The buttons that are not answers."""
    if answers:
        yield tag("button", say(lang, "try"), type="button", class_="mode", data_mode="try", aria_pressed="false")
    if answers and beside.pays:
        yield tag("button", say(lang, "pay"), type="button", class_="mode", data_mode="pay", aria_pressed="false")
    for name, is_open in (
        ("wait", beside.wait),
        ("undo", beside.undo),
        ("redo", beside.redo),
        ("ask_back", beside.ask),
    ):
        if is_open:
            yield tag("button", say(lang, name), type="button", class_="tool", data_send=name)
    yield beside.wishes


def moment_buttons(lang: str, options: Sequence[Option]) -> Html:
    """The actions out of turn."""
    if not options:
        return Html()
    buttons = [tag("button", option.text(lang), type="button", class_="option", data_now=str(number))
               for number, option in enumerate(options)]  # fmt: skip
    return tag("details", tag("summary", say(lang, "out_of_turn", n=len(options))),
               tag("div", buttons, class_="group"), open=len(options) < 4)  # fmt: skip


# ------------------------------------------------------------ options


def groups(marks: Marks, listing: Listing) -> Iterator[Html]:
    """The options, under the titles of their actions or first words where there are many."""
    decision, lang = listing.decision, listing.lang
    numbers = {id(option): number for number, option in enumerate(decision.options)}
    confirmed = set(marks.presenter.shows.confirm)

    def button(label: str, option: Option, text: str) -> Html:
        number = str(numbers[id(option)])
        sure = say(lang, "sure") if decision.case(option.raw) in confirmed else None
        things = " ".join(marks.keys(option)) or None
        kind = f"option {option.kind}" if option.kind in ("ready", "decline") else "option"
        key = tag("kbd", label) if label != text else None
        return tag("button", key, text, type="button", class_=kind, data_do=number, data_things=things, data_sure=sure,
                   data_label=label)  # fmt: skip

    if len(listing.rows) >= HEADED_FROM and (cases := group_by_action(listing)):
        for case, rows in cases.items():
            title = (decision.game.texts.find(lang, f"{case}.title") or "") if case else ""
            yield group(title, [button(label, o, o.text(lang)) for label, o in rows])
        return
    words = by_first_word(listing) if len(listing.rows) >= GROUPED_FROM else {}
    if 1 < len(words) <= len(listing.rows) // 3:
        for word, rows in words.items():
            named = [named_words(listing, option) for _, option in rows]
            texts = [" ".join(ws[1:]) if word else o.text(lang) for (_, o), ws in zip(rows, named, strict=True)]
            title = named[0][0] if word else ""
            yield group(title, [button(label, o, t) for (label, o), t in zip(rows, texts, strict=True)])
        return
    yield group("", [button(label, option, option.text(lang)) for label, option in listing.rows])


def named_words(listing: Listing, option: Option) -> list[str]:
    """The words of an option by their names."""
    texts = listing.decision.game.texts
    domains = listing.decision.domains(option.raw) or ("",) * len(option.ids)
    return [texts.id(listing.lang, domain, id_) for domain, id_ in zip(domains, option.ids, strict=False)]


def group(title: str, buttons: Sequence[Html]) -> Html:
    """Buttons in a row; very many below a title are folded away."""
    inside = tag("div", buttons, class_="group")
    if title and len(buttons) >= FOLDED_FROM:
        return tag("details", tag("summary", f"{title} ({len(buttons)})"), inside)
    return tag("div", tag("h3", title) if title else None, inside, class_="case")
