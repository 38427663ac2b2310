"""The words of the language: which terminal each belongs to, and the table of words with the clauses they take.

`TABLE` has one row for each word: the kind of line it makes, its clauses, those it needs, and whether it has a block.
The parser takes its word classes from here, the checks of form their messages. Types and meanings are not known here.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from dsl.base.record import dataclass

LANGUAGE = 2  # the present one; the manifest of a ruleset names the one that its texts are written in
# What earlier languages wrote in another way: the name of a function, or a verb -> how it is said today.
RETIRED: dict[str, str] = {"larger": "max", "smaller": "min"}
RETIRED_VERBS: dict[str, str] = {"resolve": "do"}

NEVER, MAY, MUST = "never", "may", "must"

Fact: TypeAlias = Literal[
    # of sentences
    "changes",  # it writes declared state
    "alters",  # the state may differ after it, though it writes none itself; not `offer`, which may do nothing
    "public",  # everybody sees that it is carried out, whatever it works on; for `set` the field decides that
    "counts",  # it takes an amount of something: `2 wood`
    "listened",  # `before`, `after` and `instead of` can name it; no line can listen to `set`
    "accounts",  # it adds an amount to somebody's account or takes it off, so lines can name the owner
    "demands",  # it forbids the action where it cannot be carried out
    "asks",  # it may ask somebody, or run an effect that is known only in play
    "names",  # its operand is the name of a routine
    # of declarations
    "routine",  # it declares a routine
    "plans",  # it declares a routine that runs as a plan: offered only where it can be carried out
    "attaches",  # a rule line: it changes something that is declared elsewhere
    "patterns",  # its head names what it changes, with names for the parameters; `source` does so with `of`
]


@dataclass(frozen=True, slots=True)
class Word:
    """`kind`: verb, section, if, case, decl (a routine or rule line), typed (colon means a type), loop, choice. `facts`
    are for other passes, which ask for them with `words_with`."""

    word: str
    terminal: str
    kind: str
    clauses: tuple[str, ...] = ()
    needs: tuple[tuple[str, ...], ...] = ()  # one clause of each group is required
    block: str = NEVER
    facts: tuple[Fact, ...] = ()


# Clause words by terminal: CLAUSE takes one expression, LISTED several after commas, FLAG none.
CLAUSES: dict[str, str] = {
    **dict.fromkeys(
        ("from", "to", "at", "as", "where", "while", "such that", "because", "dated", "was", "printing", "per", "max")
        + ("worth", "giving", "once per", "seen by", "decided by", "in layer", "each", "total", "exactly", "at least")
        + ("at most", "covering", "without", "top seen by"),
        "CLAUSE",
    ),
    **dict.fromkeys(("of", "on", "faces", "in layers"), "LISTED"),
    **dict.fromkeys(
        (
            "ordered",
            "on back",
            "or decline",
            "if any",
            "at once",
            "at any moment",
            "first",
            "ask",
            "never back",
            "wraps",
            "given",
            "alike",
        ),
        "FLAG",
    ),
    "by": "BY",
    "with": "WITH",
    "cost": "COST",
    "within": "WITHIN",
}
CONDITIONS = ("where", "such that")  # that `because` may follow
REPEATABLE = frozenset({"total", "at least", "at most", "exactly", "covering", "per", "cost", "with by", "without"})

_CHOICE = (
    "where", "such that", "because", "each", "total", "per", "exactly", "at least", "at most", "covering", "with", "by",
    "seen by", "or decline", "if any", "giving", "alike",
)  # fmt: skip
_CHANCE = ("where", "by", "seen by", "or decline", "if any")
_ORDER = ("by", "where", "because", "without", "with by", "or decline")
_LOOP = ("where", "while", "with", "at once")

_AMOUNT: tuple[Fact, ...] = ("changes", "public", "counts", "listened")
_LINE: tuple[Fact, ...] = ("attaches", "patterns")

_ROWS: tuple[Word, ...] = (
    Word("move", "WORD", "verb", ("from", "to", "at", "as", "of"), (("to",),), facts=_AMOUNT),
    Word("gain", "WORD", "verb", ("by", "from", "to", "as"), facts=(*_AMOUNT, "accounts")),
    Word("lose", "WORD", "verb", ("by", "from", "to", "as"), facts=(*_AMOUNT, "accounts")),
    Word("pay", "WORD", "verb", ("by", "from", "to", "as"), facts=(*_AMOUNT, "accounts", "demands")),
    Word("turn", "WORD", "verb", ("from", "to"), (("to",),), facts=_AMOUNT),
    Word("set", "WORD", "verb", ("to",), (("to",),), facts=("changes",)),
    Word("show", "WORD", "verb", ("to",), (("to",),)),
    Word("shuffle", "WORD", "verb", facts=("alters", "public")),
    Word("record", "WORD", "verb", facts=("alters", "public")),
    Word("do", "DO", "verb", ("by", "or decline"), facts=("alters", "names")),
    Word("perform", "WORD", "verb", _ORDER, facts=("alters", "asks", "names")),
    Word("offer", "WORD", "verb", _ORDER, facts=("asks", "names")),
    Word("give", "GIVE", "verb"),
    Word("stop", "WORD", "verb", facts=("public", "names")),
    Word("require", "WORD", "verb", ("because",), facts=("demands",)),
    Word("illegal", "WORD", "verb", ("by", "because")),
    Word("legal", "WORD", "verb", ("by", "because")),
    Word("asks", "WORD", "verb"),
    Word("nothing asked", "BARE", "verb"),
    Word("holds with", "WORD", "verb"),
    Word("holds without", "WORD", "verb"),
    Word("known", "WORD", "verb", ("to",), (("to",),)),
    Word("hidden", "WORD", "verb", ("to",), (("to",),)),
    Word("choose", "CHOOSE", "choice", _CHOICE),
    Word("choose some", "CHOOSE", "choice", _CHOICE),
    Word("choose number", "CHOOSE", "choice", _CHOICE),
    Word("choose amounts", "AMOUNTS", "choice", _CHOICE),
    Word("choose one", "ONE", "choice", _CHOICE, block=MUST),
    Word("random", "CHOOSE", "choice", _CHANCE),
    Word("random some", "CHOOSE", "choice", (*_CHANCE, "exactly", "at most")),
    Word("random number", "CHOOSE", "choice", _CHANCE),
    Word("case", "WORD", "case", ("where", "because", "alike"), block=MAY),
    Word("for every", "LOOP", "loop", _LOOP, block=MUST),
    Word("round robin", "LOOP", "loop", _LOOP, block=MUST),
    Word("open to", "LOOP", "loop", ("where", "while", "with", "at most", "per"), block=MUST),
    Word("always for every", "LOOP", "loop", ("where",), block=MUST),
    Word("repeat", "BARE", "loop", ("while",), block=MUST),
    Word("if", "IF", "if", block=MUST),
    Word("else if", "ELSEIF", "if", block=MUST),
    Word("else", "ELSE", "if", block=MUST),
    Word("depending on", "WORD", "if", block=MUST),
    Word("let", "LET", "let"),
    Word("effect", "EFFECT", "section", block=MUST),
    Word("step", "WORD", "section", block=MUST),
    Word("plan by", "WORD", "section", block=MUST),
    Word("together", "BARE", "section", block=MUST),
    Word("while", "WORD", "section", block=MUST),
    Word("at end of", "WORD", "section", block=MUST),
    Word("until end of", "WORD", "section", block=MUST),
    Word("given", "WORD", "section", block=MAY),
    Word("when", "BARE", "section", block=MUST),
    Word("expect", "BARE", "section", block=MUST),
    Word("cases", "BARE", "section", block=MUST),
    Word("enum", "TYPED", "typed", block=MAY),
    Word("ranked enum", "TYPED", "typed", block=MAY),
    Word("option", "TYPED", "typed", block=MAY),
    Word("table", "TYPED", "typed", ("by", "from"), block=MAY),
    Word("const", "TYPED", "typed", ("by", "on back")),
    Word("field", "TYPED", "typed", ("by", "seen by", "given")),
    Word("zone", "TYPED", "typed", ("max", "seen by", "top seen by", "ordered", "by")),
    Word("kind", "TYPED", "typed", ("from", "per", "decided by", "faces", "by"), block=MAY),
    Word("lattice", "TYPED", "typed", ("by", "wraps"), (("by",),), block=MAY),
    Word("piece", "TYPED", "typed", ("by", "each", "from", "faces")),
    Word("value", "TYPED", "typed", ("in layers", "at least", "at most"), block=MAY),
    Word("purse", "TYPED", "typed", block=MAY),
    Word("history", "TYPED", "typed", ("of", "max"), (("of",), ("max",))),
    Word("card", "TYPED", "typed", block=MAY),
    Word("invariant", "TYPED", "typed"),
    Word("strip", "STRIP", "typed"),
    Word("phase", "WORD", "decl", block=MAY, facts=("routine",)),
    Word(
        "action",
        "WORD",
        "decl",
        ("of", "at any moment", "where", "because", "once per", "alike"),
        block=MAY,
        facts=("routine", "plans"),
    ),  # fmt: skip
    Word("procedure", "WORD", "decl", ("giving",), block=MAY, facts=("routine",)),
    Word("icon", "WORD", "decl", block=MAY, facts=("routine", "plans")),
    Word("rule", "WORD", "decl", block=MUST),
    Word("triggers ordered", "BARE", "decl", ("by",), (("by",),)),
    Word(
        "modify",
        "WORD",
        "decl",
        ("in layer", "by", "to", "where", "at least", "at most"),
        (("by", "to", "at least", "at most"),),
        facts=_LINE,
    ),  # fmt: skip
    Word("grant", "WORD", "decl", ("where",), facts=_LINE),
    Word("deny", "WORD", "decl", ("where",), facts=_LINE),
    Word("hands on", "WORD", "decl", ("where", "as"), facts=_LINE),
    Word("before", "WORD", "decl", ("where", "once per"), block=MUST, facts=_LINE),
    Word("after", "WORD", "decl", ("where", "once per"), block=MUST, facts=_LINE),
    Word("instead of", "WORD", "decl", ("where", "once per"), block=MAY, facts=_LINE),
    Word(
        "source",
        "WORD",
        "decl",
        ("worth", "to", "of", "where", "max", "first", "never back", "once per"),
        facts=("attaches",),
    ),  # fmt: skip
    Word("change", "BARE", "decl", ("from",), (("from",),)),
    Word("default", "BARE", "decl", ("with", "ask"), (("with", "ask"),)),
    Word("errata", "WORD", "decl", ("on", "because", "dated", "printing"), (("on",),), block=MAY),
    Word("variant", "WORD", "decl", ("on", "because", "dated"), (("on",),), block=MAY),
    Word("replace", "WORD", "decl", ("was",), block=MUST),
    Word("insert before", "WORD", "decl", ("was",), block=MUST),
    Word("insert after", "WORD", "decl", ("was",), block=MUST),
    Word("drop", "WORD", "decl", ("was",)),
    Word("alter", "WORD", "decl", ("was", "from", "to"), (("from",), ("to",))),
    Word("position", "WORD", "decl", ("from",), block=MAY),
    Word("ruling", "WORD", "decl", block=MAY),
)
TABLE: dict[str, Word] = {row.word: row for row in _ROWS}


def words_with(fact: Fact) -> tuple[str, ...]:
    """The words that have this fact."""
    return tuple(row.word for row in _ROWS if fact in row.facts)


# Folds with the clauses they take; `possible(...)` is written like one.
_KEYED = ("first", "only", "tied", "ranked", "tiers")
FOLDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("count", "sum", "max", "min", "any", "every", "set", "list", "table"), ("where",)),
    **dict.fromkeys(_KEYED, ("where", "with")),
    "reach": ("where", "cost"),
    **dict.fromkeys(("distance", "nearest"), ("to", "where", "cost")),
    "possible": ("where", "without", "with by"),
}

_OTHERS: dict[str, str] = {
    "for": "FOR", "chooses": "SAYS", "gives": "SAYS", "highest": "DEGREE", "lowest": "DEGREE", "any": "ANY",
    "set of": "TYPEOF", "list of": "TYPEOF", "count by": "TYPEOF", "or": "OR", "and": "AND", "not": "NOT",
    "is": "COMPARE", "is not": "COMPARE", "not in": "COMPARE", "in": "IN", "in live": "INLIVE", "possible": "POSSIBLE",
    "no": "EMPTY", "some": "EMPTY", "given": "BARE", "mod": "TIMES", "seats from": "ROUND",
}  # fmt: skip

# Terminals that begin a line; a word is one of them only where an operand may follow, not as the key of a row.
STARTS = frozenset({row.terminal for row in _ROWS} - {"IF", "ELSE", "ELSEIF"})
# Words that may begin a line of a file, of a routine, of anything.
_INNER = ("strip", "source", "change", "default", "replace", "insert before", "insert after", "drop", "alter")
TOP_LEVEL = tuple(row.word for row in _ROWS if row.kind in ("typed", "decl") and row.word not in _INNER)
STARTERS = tuple(row.word for row in _ROWS)
BLOCKS = tuple(row.word for row in _ROWS if row.terminal in ("BARE", "EFFECT", "ELSE") and row.kind != "verb")
TITLED = ("card", "position", "ruling")
# Words with sentences in their block, where a row of data is a mistake.
SENTENCES = frozenset(row.word for row in _ROWS if row.kind in ("case", "loop", "if")) | {
    "phase", "action", "procedure", "icon", "effect", "step", "plan by", "together", "at end of", "before", "after",
    "instead of", "when",
}  # fmt: skip


def _classes() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for row in _ROWS:
        found.setdefault(row.word, []).append(row.terminal)
    for word, today in RETIRED_VERBS.items():
        found[word] = found[today]
    for words in (CLAUSES, _OTHERS, dict.fromkeys(FOLDS.keys() - {"possible"}, "FOLD")):
        for word, terminal in words.items():
            found.setdefault(word, []).append(terminal)
    return {word: tuple(terminals) for word, terminals in found.items()}


# Every word or phrase with the terminals that it may be, in the order in which they are tried.
CLASSES: dict[str, tuple[str, ...]] = _classes()
PHRASES: tuple[str, ...] = tuple(sorted((w for w in CLASSES if " " in w), key=len, reverse=True))

# A line that begins with one of these continues the line above.
CONTINUES = frozenset(CLAUSES.keys() - {"while", "if any", "first", "ordered", "ask", "at", "given"}) | {"and", "or"}
