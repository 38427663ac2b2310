"""The log of a game as a seat reads it: one line for each entry, in words."""

from __future__ import annotations

from dsl.base.types import BOOL, INT, MemberType, SetType
from interpreter.rules.messages import Named
from interpreter.rules.payments import logged_payment_text
from interpreter.rules.rules import Rules
from interpreter.rules.site_texts import DECLINE, READY, done_keys, pick_keys
from interpreter.session.entry import AUTO, CHANCE, LogEntry
from interpreter.session.state import State
from interpreter.visibility import audiences

PARTS = ("add", "amount")  # forms of the parts of a long answer


def log_for(state: State, seat: int | None, lang: str = "en", since: int = 0, until: int | None = None) -> list[str]:
    """The lines of the log from entry number `since` on, up to `until`, that `seat` may see (None: what everybody
    sees). An open plan of another seat is not reported before it is certain."""
    entries = state.log if until is None else state.log[:until]
    if state.plan is not None and seat != state.plan.seat:
        entries = entries[: state.plan.entries]
    lines = (narrate(state.game, entry, seat, lang) for entry in entries[since:])
    return [line for line in lines if line]


def narrate(rules: Rules, entry: LogEntry, seat: int | None, lang: str = "en") -> str:
    """The line of an entry for this seat; empty if there is nothing to report."""
    texts = rules.texts
    if entry.kind == CHANCE:
        return _chance_line(rules, entry, seat, lang)
    actor = texts.id(lang, entry.actor_domain, entry.actor)
    if not entry.seen_by(seat):
        if entry.form in PARTS:
            return ""  # said once, when the answer is complete
        own = (f"{entry.address}.{entry.form}.secret",) if entry.form in (READY, DECLINE) else ()
        template = texts.find(lang, *own, f"{entry.address}.secret")
        if template is None:
            return texts.engine(lang, "hidden_choice", actor=actor)
        return texts.fill(lang, template, {"actor": actor})
    if entry.kind == AUTO and entry.address in rules.default_addresses:
        return ""  # the usual way to pay or to gain
    short = entry.form in (READY, DECLINE)
    keys = (f"{entry.address}.{entry.form}.done",) if short else done_keys(entry.address, entry.case)
    template = texts.find(lang, *keys)
    if template == "" or (entry.form == READY and not template):
        return ""  # an empty text, or the end of a long answer, reports nothing
    if template:
        line = _filled(rules, entry, template, seat, lang)
    elif (gain := rules.payment_addresses.get(entry.address)) is not None:
        payment = logged_payment_text(rules, entry.ids, entry.actor_domain, lang)
        line = texts.engine(lang, "gains" if gain else "pays", actor=actor, way=payment)
    else:
        line = texts.engine(lang, "choice", actor=actor, answer=_answer(rules, entry, seat, lang))
    if entry.kind == AUTO:
        line = texts.engine(lang, "automatic", line=line)
    if entry.undecided and seat == entry.seat:
        withheld, limit = ", ".join(entry.undecided), str(rules.program.limits.tries)
        line = texts.engine(lang, "undecided", line=line, tries=limit, answers=withheld)
    return line


def _filled(rules: Rules, entry: LogEntry, template: str, seat: int | None, lang: str) -> str:
    values = {name: _named(rules, domain, text) for name, domain, text in entry.named}
    unnamed = entry.unnamed_to(seat)
    hidden = {name for name, seats in entry.secret if seat not in seats}
    hidden |= {name for name, things in entry.about if not unnamed.isdisjoint(things)}
    for name in hidden:
        values[name] = rules.texts.engine(lang, "hidden")
    values["actor"] = _named(rules, entry.actor_domain, entry.actor)
    return rules.texts.fill(lang, template, values)


def _answer(rules: Rules, entry: LogEntry, seat: int | None, lang: str) -> str:
    """The text of the option that was taken."""
    if entry.form in (READY, DECLINE):
        return rules.texts.engine(lang, entry.form)
    template = rules.texts.find(lang, *pick_keys(entry.address, entry.case))
    if template:
        return _filled(rules, entry, template, seat, lang)
    domains = entry.domains or ("",) * len(entry.ids)
    unnamed = {name.rpartition(".")[2] for name in entry.unnamed_to(seat)}
    return " ".join(
        rules.texts.engine(lang, "hidden") if i in unnamed else rules.texts.id(lang, d, i)
        for d, i in zip(domains, entry.ids, strict=False)
    )


def _chance_line(rules: Rules, entry: LogEntry, seat: int | None, lang: str) -> str:
    texts = rules.texts
    if entry.form == "shuffle":
        template = texts.find(lang, f"{entry.address}.done")
        return texts.engine(lang, "shuffle", zone=entry.address) if template is None else template
    domain = rules.chance_domains.get(entry.address, "")
    shown = [texts.id(lang, domain, i) if entry.seen_by(seat) else _hidden(rules, i, lang) for i in entry.ids]
    answer = texts.joined(lang, shown)
    template = texts.find(lang, f"{entry.address}.done")
    return template.replace("{answer}", answer) if template else texts.engine(lang, "chance", answer=answer)


def _hidden(rules: Rules, id_: str, lang: str) -> str:
    return rules.texts.engine(lang, "hidden" if audiences.is_thing(rules, id_) else "hidden_value")


def _named(rules: Rules, domain: str, text: str) -> Named | str:
    """The value of a text in a log entry: a member, a set of members, a number, true or false, or plain words."""
    if domain in rules.program.domains:
        type_ = MemberType(domain, 0, max(rules.program.domains[domain].values), optional=True)
        if text.startswith("{"):
            found = [rules.names.parse(word, type_) for word in text.strip("{}").split(", ") if word]
            return Named(sum(1 << v for v in found if v is not None), SetType(type_)) if None not in found else text
        value = rules.names.parse(text, type_)
        if value is not None:
            return Named(value, type_)
    if text in ("true", "false"):
        return Named(text == "true", BOOL)
    number = rules.names.parse(text, INT)
    return Named(number, INT) if number is not None else text
