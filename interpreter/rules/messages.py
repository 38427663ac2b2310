"""The engine's own messages in each language: answers and events without a text of the ruleset, and reasons.

A `Message` is a row of sentences, each a key of `ENGINE` with its named parts, so that it can be rendered in the
language of its reader; a part is a text, which is the same in all languages, or a message again.
"""

from __future__ import annotations

from typing import TypeAlias, Union

FALLBACK = "en"
MessageParts: TypeAlias = "tuple[tuple[str, Union[str, Message]], ...]"
Message: TypeAlias = tuple[tuple[str, MessageParts], ...]

# A ruleset overrides a text with the same key under `engine.`.
ENGINE: dict[str, dict[str, str]] = {
    "en": {
        "decline": "Decline",
        "ready": "Done",
        "hidden": "a card",
        "hidden_value": "?",
        "hidden_choice": "{actor} chose in secret",
        "choice": "{actor}: {answer}",
        "automatic": "{line} (only possibility)",
        "undecided": "{line} (not decided within {tries} tries: {answers})",
        "chance": "Chance: {answer}",
        "shuffle": "{zone} is shuffled",
        "none": "none",
        "true": "yes",
        "false": "no",
        "and": ", ",
        "pieces": "{n} {what}",
        "how_to_pay": "How do you pay?",
        "how_to_gain": "How do you gain it?",
        "pays": "{actor} pays {way}",
        "gains": "{actor} gains {way}",
        "change": "{spent} (change: {back})",
        "why_over": "the game is over; nothing is asked",
        "why_run_out": "the routine has run out; nothing is asked",
        "why_chance": "an outcome of chance is awaited; nothing is asked",
        "why_turn": "{actor} is asked at {address}, not {who}",
        "why_silent": "the answer is empty",
        "why_asked": "this question cannot be declined",
        "why_incomplete": "the answer is not complete{bounds}",
        "why_number": "`{word}` is not a number",
        "why_amount": "{amount} for {member} is outside {range}",
        "why_range": "{word} is outside {range}",
        "why_word": "`{word}` is not of type {expected}{hint}",
        "why_word_at_all": "`{word}` is not an alternative in this question{hint}",
        "why_elsewhere": "`{word}` belongs to other questions, not to this one",
        "why_hint": "; did you mean `{word}`?",
        "why_domain": "{word} is not among the {name} that may be chosen{ends}",
        "why_ends": "; the path ends at {ends}",
        "why_closed": "{place} ({next} is closed)",
        "why_too_far": "{place} ({next} is too far)",
        "why_more_ends": " and {n} more",
        "why_more": "the answer is missing: {missing}",
        "why_bound": "the whole answer cannot be completed with it{bounds}",
        "why_must": "{member} must be in the answer",
        "why_order": "other options rank before it",
        "why_plan": "a later demand of the action could not be met",
        "why_not_now": "it is not offered now",
        "bounds": " ({bounds})",
        "as_it_is": "{text}",
        "exactly": "exactly {n}",
        "at least": "at least {n}",
        "at most": "at most {n}",
        "covering": "covering {n}",
        "in_total": "{bound} in total",
    },
    "ja": {
        "decline": "辞退する",
        "ready": "決定",
        "hidden": "カード1枚",
        "hidden_value": "？",
        "hidden_choice": "{actor}は秘密に選んだ",
        "choice": "{actor}：{answer}",
        "automatic": "{line}（他に選択肢なし）",
        "undecided": "{line}（{tries}回の試行では判定できず：{answers}）",
        "chance": "偶然：{answer}",
        "shuffle": "{zone}を混ぜた",
        "none": "なし",
        "true": "はい",
        "false": "いいえ",
        "and": "、",
        "pieces": "{what}{n}個",
        "how_to_pay": "どう支払いますか",
        "how_to_gain": "どう受け取りますか",
        "pays": "{actor}の支払い：{way}",
        "gains": "{actor}の獲得：{way}",
        "change": "{spent}（お釣り：{back}）",
        "why_over": "ゲームは終わっており、何も尋ねられていない",
        "why_run_out": "手順は終わっており、何も尋ねられていない",
        "why_chance": "偶然の結果を待っており、何も尋ねられていない",
        "why_turn": "{address}で尋ねられているのは{actor}で、{who}ではない",
        "why_silent": "答えが書かれていない",
        "why_asked": "この問いは辞退できない",
        "why_incomplete": "答えが足りない{bounds}",
        "why_number": "`{word}`は数ではない",
        "why_amount": "{member}の{amount}は{range}の範囲外",
        "why_range": "{word}は{range}の範囲外",
        "why_word": "`{word}`は{expected}ではない{hint}",
        "why_word_at_all": "`{word}`はこの問いの選択肢にない{hint}",
        "why_elsewhere": "`{word}`は別の問いの選択肢で、この問いにはない",
        "why_hint": "（`{word}`のことか？）",
        "why_domain": "{word}は選べる{name}に含まれない{ends}",
        "why_ends": "（届くのは{ends}まで）",
        "why_closed": "{place}（{next}は通れない）",
        "why_too_far": "{place}（{next}は遠すぎる）",
        "why_more_ends": "ほか{n}か所",
        "why_more": "続きが必要：{missing}",
        "why_bound": "これを含む答えは完成できない{bounds}",
        "why_must": "{member}を答えに含めなければならない",
        "why_order": "先に選ぶべきものがある",
        "why_plan": "このアクションの後の条件を満たせない",
        "why_not_now": "今は選べない",
        "bounds": "（{bounds}）",
        "as_it_is": "{text}",
        "exactly": "ちょうど{n}",
        "at least": "{n}以上",
        "at most": "{n}以下",
        "covering": "{n}を満たす",
        "in_total": "合計{bound}",
    },
}


def message(key: str, **parts: str | Message) -> Message:
    """A message of one sentence."""
    return ((key, tuple(parts.items())),)


def join_messages(messages: list[Message]) -> Message:
    """The messages as one list, with the separator of its language between them."""
    found: Message = ()
    for number, part in enumerate(messages):
        found += (message("and") if number else ()) + part
    return found


def in_english(sentences: Message) -> str:
    """The message in English, for logs, rulings and errors."""
    parts = ((key, {n: p if isinstance(p, str) else in_english(p) for n, p in parts}) for key, parts in sentences)
    return "".join(ENGINE[FALLBACK][key].format_map(values) for key, values in parts)
