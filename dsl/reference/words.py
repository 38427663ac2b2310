"""The words of the language as tables: the line that each makes, its clauses, its block, and facts of it.

Everything is read from `dsl.syntax.vocabulary`; no word is named here.
"""

from __future__ import annotations

from collections.abc import Iterable

from dsl.syntax.vocabulary import CLAUSES, FOLDS, MAY, MUST, NEVER, REPEATABLE, TABLE, Fact, Word

LINES = {
    "verb": "sentence",
    "section": "section",
    "case": "case",
    "decl": "declaration",
    "typed": "declaration",
    "loop": "loop",
    "choice": "question",
    "if": "branch",
    "let": "name",
}
"""What the line of a word is called, by the kind of its row."""

BLOCKS = {NEVER: "none", MAY: "may", MUST: "must"}

FACTS: dict[Fact, str] = {
    "changes": "it writes declared state",
    "alters": "the state may differ after it, though it writes none itself",
    "public": "everybody sees that it is carried out, whatever it works on",
    "counts": "it takes an amount of something",
    "listened": "it is an event: `before`, `after` and `instead of` can name it",
    "accounts": "it adds to an account or takes off it, so that lines can name whose",
    "demands": "where it cannot be carried out, an action is not offered",
    "asks": "it may ask somebody, or run an effect that is known only in play",
    "names": "its operand is the name of a routine",
    "routine": "it declares a routine",
    "plans": "its routine runs as a plan",
    "attaches": "it changes something that is declared elsewhere",
    "patterns": "its head names what it changes, with names for the parameters",
}
"""What the facts of a word mean, in the order of the table."""


def code(words: Iterable[str]) -> str:
    """Words for a cell of a table."""
    return " ".join(f"`{'with .. by' if word == 'with by' else word}`" for word in words)


def row(word: Word) -> str:
    """One word with its line, clauses, needs and block, as a row of a table."""
    needs = ", ".join(" or ".join(f"`{clause}`" for clause in group) for group in word.needs)
    return f"| `{word.word}` | {LINES[word.kind]} | {code(word.clauses)} | {needs} | {BLOCKS[word.block]} |"


def table(words: Iterable[str]) -> str:
    """The rows of these words. Raises KeyError for one that is none."""
    head = "| Word | Line | Clauses | Needs | Block |\n| --- | --- | --- | --- | --- |\n"
    return head + "".join(f"{row(TABLE[word])}\n" for word in words)


def clauses() -> str:
    """Every clause with its form and the words that take it; one that may be repeated is marked."""
    forms = {
        "CLAUSE": "{} E",
        "LISTED": "{} E, ...",
        "BY": "{} E, ...",
        "FLAG": "{}",
        "WITH": "{} highest E, lowest E, ...",
        "COST": "{} E",
        "WITHIN": "cost E {} E",
    }
    named = {word: forms[terminal].format(word) for word, terminal in CLAUSES.items()}
    named["with by"] = "with E by E"
    rows = ["| Clause | Again | Words and folds that take it |", "| --- | --- | --- |"]
    for clause, form in named.items():
        takers = [w for w, r in TABLE.items() if clause in r.clauses] + [
            f for f, taken in FOLDS.items() if clause in taken
        ]
        again = "yes" if clause in REPEATABLE else ""
        rows.append(f"| `{form}` | {again} | {code(dict.fromkeys(takers)) or 'behind `cost`'} |")
    return "\n".join(rows) + "\n"


def facts() -> str:
    """Every fact with its meaning and its words."""
    rows = ["| It holds that | of |", "| --- | --- |"]
    for fact, meaning in FACTS.items():
        rows.append(f"| {meaning} | {code(w for w, r in TABLE.items() if fact in r.facts)} |")
    return "\n".join(rows) + "\n"


def folds() -> str:
    """Every fold with its clauses."""
    rows = ["| Fold | Clauses |", "| --- | --- |"]
    rows += [f"| `{fold}` | {code(taken)} |" for fold, taken in FOLDS.items()]
    return "\n".join(rows) + "\n"
