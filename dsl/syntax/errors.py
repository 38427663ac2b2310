"""The message about a line that the grammar refuses.

Takes a line and the token at which parsing stopped; gives one diagnostic that says what was read, what was expected,
the nearest word and how to mend it. Messages never mention tokens or productions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dsl.base.record import dataclass
from dsl.base.span import Span
from dsl.base.spelling import distance, nearest
from dsl.diagnostics.diagnostic import Diagnostic, Fix, Severity
from dsl.syntax.form import known_misfit, listed
from dsl.syntax.lexer import Line, Token
from dsl.syntax.vocabulary import CLASSES, FOLDS, NEVER, STARTERS, STARTS, TABLE, TOP_LEVEL, Word

CONDITIONS = ("where", "while", "such that", "require", "if", "else if", "and", "or", "not")
MAX_GUESSED = 1000  # tokens of a line about which nothing is guessed
JOINING = {"in": "IN", "is": "COMPARE", "and": "AND", "or": "OR", "else": "ELSE", "for": "FOR", "within": "WITHIN"}
INNER_WORDS = tuple(row.word for row in TABLE.values() if row.kind in ("verb", "choice") and " " not in row.word)
OPENING = ("LPAR", "LSQB", "LBRACE")
CLOSING = ("RPAR", "RSQB", "RBRACE")


def missing_expression(path: str, at: int) -> Diagnostic:
    return Diagnostic("RW0122", Severity.ERROR, Span(path, at, at), "there is nothing here", "write an expression")


def explain(path: str, line: Line, at: int, accepts: set[str], sentence: bool = True) -> Diagnostic:
    """The one message about a line at whose token `at` parsing stopped (after the last token: the line ended).

    `accepts` are the terminals that would fit; `sentence`: the line belongs to a file, it is not an expression or an
    answer on its own.
    """
    return _RefusedLine(path, line, at, accepts, sentence).message()


@dataclass(slots=True)
class _RefusedLine:
    path: str
    line: Line
    at: int
    accepts: set[str]
    sentence: bool

    def message(self) -> Diagnostic:
        of_sentences = (
            self._alter_takes_words,
            self._unknown_inner_word,
            self._unknown_first_word,
            self._missing_colon,
            self._bare_call,
        )
        for guess in (
            self._alter_takes_words,
            self._misused_equals,
            self._unknown_first_word,
            self._unknown_inner_word,
            self._missing_colon,
            self._misspelt_clause,
            self._bare_call,
            self._missing_else,
            self._ends_early,
        ):
            if len(self._tokens) > MAX_GUESSED or not self.sentence and guess in of_sentences:
                continue
            found = guess()
            if found is not None:
                return found
        return self._general()

    # ---------------------------------------------------------------- looking

    @property
    def _tokens(self) -> list[Token]:
        return self.line.tokens

    @property
    def _first(self) -> Token:
        return self.line.tokens[0]

    def _table_row(self) -> Word | None:
        """The row of the sentence in which parsing stopped: that of the last word before it that begins a sentence."""
        for i in range(min(self.at, len(self._tokens) - 1), -1, -1):
            token = self._tokens[i]
            if token.type in STARTS or token.type in ("IF", "ELSE", "ELSEIF") and i == 0:
                return TABLE.get(token.value)
        return None

    def _open_bracket(self, at: int) -> int:
        """The index of the innermost bracket open before token `at`, or -1."""
        depth = 0
        for i in range(min(at, len(self._tokens)) - 1, -1, -1):
            kind = self._tokens[i].type
            if kind in CLOSING:
                depth += 1
            elif kind in OPENING:
                if depth == 0:
                    return i
                depth -= 1
        return -1

    def _diagnostic(
        self, code: str, first: Token, message: str, help: str | None = None, last: Token | None = None
    ) -> Diagnostic:
        fix = None
        if code == "RW0114" and first is not self._first:
            at = self._tokens[self._tokens.index(first) - 1].end
            fix = Fix(Span(self.path, at, at), ":")
        return Diagnostic(
            code, Severity.ERROR, Span(self.path, first.start, (last or first).end), message, help, fix=fix
        )

    # ---------------------------------------------------------------- guesses, the surest first

    def _alter_takes_words(self) -> Diagnostic | None:
        if self._first.value != "alter" or not any(t.value == "from" for t in self._tokens[: self.at]):
            return None
        token = self._tokens[min(self.at, len(self._tokens) - 1)]
        help = "for more of a line, write `replace ADDRESS` and the new text below it"
        return self._diagnostic("RW0123", token, "`alter` changes one word or number", help)

    def _unknown_inner_word(self) -> Diagnostic | None:
        """A misspelt verb behind a colon: `effect: gian 1 coin`."""
        for at in (self.at - 1, self.at):
            if (
                not 1 < at < len(self._tokens) - 1
                or self._tokens[at - 1].type != "COLON"
                or self._open_bracket(at) >= 0
            ):
                continue
            token = self._tokens[at]
            after = self._tokens[at + 1]
            if token.type != "NAME" or token.words or after.type not in ("NAME", "NUM") and not after.words:
                continue
            near = nearest(token.value, INNER_WORDS)
            if near is not None:
                fix = Fix(Span(self.path, token.start, token.end), near)
                found = self._diagnostic(
                    "RW0109", token, f"`{token.value}` begins no sentence", f"did you mean `{near}`?"
                )
                return replace(found, fix=fix)
        return None

    def _misused_equals(self) -> Diagnostic | None:
        if self.at >= len(self._tokens) or self._tokens[self.at].type != "EQ":
            return None
        token = self._tokens[self.at]
        before = next((t for t in reversed(self._tokens[: self.at]) if t.value in CONDITIONS or t.type == "FOLD"), None)
        if before is None and self._first.value == "set":
            return self._diagnostic("RW0112", token, "`=` does not change a field", "write `set field to value`")
        if before is None and self.sentence and self.at == 1 and self._first.type == "NAME":
            name = self._first.value
            return self._diagnostic(
                "RW0112", token, "a line does not begin like this", f"write `let {name} = ...` or `set {name} to ...`"
            )
        return self._diagnostic(
            "RW0112", token, "`=` gives a value to a name; it does not compare", "write `is` to compare"
        )

    def _unknown_first_word(self) -> Diagnostic | None:
        first = self._first
        if first.type != "NAME" or self.at == 0 and first.words or first.value == "effect":
            return None
        known = TOP_LEVEL if self.line.level == 0 else STARTERS
        path = self._end_of_path()
        after = self._tokens[path + 1] if path + 1 < len(self._tokens) else None
        if path == 0:
            near, words = self._nearest(0, known)
            if near is None and self.line.level == 0:
                near, words = self._nearest(0, STARTERS)
            if near is not None and self._is_bare_call(0) and after is not None and distance(first.value, near, 1) > 1:
                near = None  # a call that lacks its verb
            if near is not None:
                last = self._tokens[words - 1]
                shown = " ".join(t.value for t in self._tokens[:words])
                return self._diagnostic("RW0109", first, f"`{shown}` begins no line", f"did you mean `{near}`?", last)
        if after is not None and after.type == "NAME" and (near := nearest(after.value, ("chooses", "gives"))):
            return self._diagnostic("RW0111", after, f"I read `{after.value}`", f"did you mean `{near}`?")
        if self._is_bare_call(path):
            return None
        if self.line.level == 0:
            help = "a file holds declarations: " + listed(TOP_LEVEL[:10]) + ", ..."
            return self._diagnostic("RW0110", first, f"`{first.value}` declares nothing", help)
        if after is not None and after.type in ("NAME", "NUM", "TEXT", "LBRACE", "MINUS") and self.at <= path + 2:
            return self._diagnostic(
                "RW0114",
                first,
                f"I read neither a sentence nor a row in `{self._text(0, path)} {after.value} ...`",
                "a sentence begins with a word of the language; a row needs a `:` after its key",
                self._tokens[path],
            )
        return None

    def _nearest(self, at: int, known: Iterable[str]) -> tuple[str | None, int]:
        """The one of `known` that is nearest to the words from `at`, and how many words it replaces."""
        words = [t.value for t in self._tokens[at : at + 3]]
        known = list(known)
        for size in (3, 2):
            if len(words) >= size and all(w[:1].isalpha() and " " not in w for w in words[:size]):
                near = nearest(" ".join(words[:size]), (k for k in known if k.count(" ") == size - 1))
                if near:
                    return near, size
        if not words or " " in words[0] or not words[0][:1].isalpha():
            return None, 0
        return nearest(words[0], (k for k in known if " " not in k)), 1

    def _end_of_path(self) -> int:
        """The index of the last token of the dotted name at the beginning of the line."""
        i = 0
        while i + 2 < len(self._tokens) and self._tokens[i + 1].type == "DOT":
            i += 2
        return i

    def _text(self, first: int, last: int) -> str:
        return "".join(t.value for t in self._tokens[first : last + 1])

    def _is_bare_call(self, path: int) -> bool:
        """True if the name at `path`, perhaps with arguments in brackets, is all of the line but for clauses."""
        tokens = self._tokens
        if path + 1 >= len(tokens):
            return True
        if tokens[path + 1].type != "LPAR" or tokens[path + 1].start != tokens[path].end:
            return False
        depth = 0
        for i in range(path + 1, len(tokens)):
            depth += (tokens[i].type == "LPAR") - (tokens[i].type == "RPAR")
            if depth == 0:
                return i + 1 == len(tokens) or tokens[i + 1].type in ("BY", "CLAUSE")
        return False

    def _bare_call(self) -> Diagnostic | None:
        path = self._end_of_path()
        if self._first.type != "NAME" or not self._is_bare_call(path):
            return None
        name = self._text(0, path)
        shown = f"{name}(...)" if path + 1 < len(self._tokens) else name
        return self._diagnostic(
            "RW0113", self._first, f"`{shown}` alone is no sentence", f"a sentence begins with a verb: `do {shown}`?"
        )

    def _missing_colon(self) -> Diagnostic | None:
        tokens = self._tokens
        bracket = self._open_bracket(self.at)
        if bracket >= 0:
            return self._colon_in_brackets(bracket)
        row = TABLE.get(self._first.value)
        if row is not None and row.terminal == "EFFECT" and len(tokens) > 1 and tokens[1].type != "COLON":
            what = f"a `:` is missing before `{tokens[1].value}`"
            return self._diagnostic("RW0114", tokens[1], what, f"`{row.word}: {tokens[1].value} ...`")
        if row is None or self._first.type == "NAME":
            return None
        if row.block != NEVER and row.terminal != "TYPED":
            for i in (self.at, self.at - 1):
                if not 0 < i < len(tokens) - 1 or tokens[i - 1].type == "COLON" or self._open_bracket(i) >= 0:
                    continue
                starts = STARTS.intersection(CLASSES.get(tokens[i].value, ())) or tokens[i].value == "if"
                if starts and (
                    tokens[i + 1].type in ("NAME", "NUM") or tokens[i + 1].words or tokens[i + 1].type == "LPAR"
                ):
                    return self._diagnostic(
                        "RW0114",
                        tokens[i],
                        f"a `:` is missing before `{tokens[i].value}`",
                        f"`{row.word} ...: {tokens[i].value} ...`",
                    )
        if row.terminal == "TYPED" and self.at < len(tokens):
            self.at -= tokens[self.at].type == "TO" and tokens[self.at - 1].type == "NUM"  # the type is a range
            before = [
                t for i, t in enumerate(tokens[: self.at]) if t.type in ("COLON", "EQ") and self._open_bracket(i) < 0
            ]
            if (
                not before
                and tokens[self.at].type in ("NAME", "NUM", "TYPEOF", "LBRACE")
                and not self._clause_near(self.at, row.clauses)[0]
            ):
                return self._diagnostic(
                    "RW0114",
                    tokens[self.at],
                    f"a `:` is missing before `{tokens[self.at].value}`",
                    f"`{row.word} name: type`",
                )
        return None

    def _colon_in_brackets(self, bracket: int) -> Diagnostic | None:
        fold = self._tokens[bracket - 1] if bracket else None
        if (
            fold is None
            or fold.type != "FOLD"
            or fold.value not in ("count", "sum", "max", "min", "any", "every", "list", "table")
        ):
            return None
        inside = [
            t
            for i, t in enumerate(self._tokens[bracket + 1 : self.at], bracket + 1)
            if self._open_bracket(i) == bracket
        ]
        if self.at >= len(self._tokens) or any(t.type == "COLON" for t in inside):
            return None
        token = self._tokens[self.at]
        if token.type not in ("NAME", "NUM", "LBRACE", "FOLD") or self._clause_near(self.at, FOLDS[fold.value])[0]:
            return None
        help = f"`{fold.value}(x in S: expression)`"
        return self._diagnostic(
            "RW0114", token, f"a `:` is missing before `{token.value}` in `{fold.value}(...)`", help
        )

    def _clause_near(self, at: int, allowed: Iterable[str]) -> tuple[str | None, int]:
        """The clause that the word at `at` may be a misspelling of, and the number of words."""
        tokens = self._tokens
        if not 0 < at < len(tokens):
            return None, 0
        near, words = self._nearest(at, (clause.replace("with by", "with") for clause in allowed))
        if words == 1 and (tokens[at].type != "NAME" or tokens[at].value in CLASSES):
            return None, 0
        return near, words

    def _misspelt_clause(self) -> Diagnostic | None:
        bracket = self._open_bracket(self.at)
        fold = self._tokens[bracket - 1] if bracket > 0 else None
        if fold is not None and fold.type in ("FOLD", "POSSIBLE"):
            word, allowed = fold.value, FOLDS[fold.value]
        elif bracket < 0 and (row := self._table_row()) is not None:
            word, allowed = row.word, row.clauses
        else:
            return None
        guesses = [(at, *self._clause_near(at, allowed)) for at in (self.at, self.at - 1, self.at - 2)]
        # A phrase of two words is better evidence than one word, and that better than the word before.
        for at, near, words in sorted(guesses[:2], key=lambda g: -g[2]) + [g for g in guesses[2:] if g[2] > 1]:
            if near is not None:
                read = self._tokens[at : at + words]
                shown = " ".join(t.value for t in read)
                message = f"`{word}` takes {listed(allowed)}; I read `{shown}`"
                return self._diagnostic("RW0111", read[0], message, f"did you mean `{near}`?", read[-1])
        return None

    def _missing_else(self) -> Diagnostic | None:
        """`X if P` without an `else`."""
        for i in range(min(self.at, len(self._tokens)) - 1, 0, -1):
            token = self._tokens[i]
            if token.type == "ELSE":
                return None
            if token.type == "IF" and self._open_bracket(i) == self._open_bracket(self.at):
                return self._diagnostic(
                    "RW0129", token, "an `if` inside an expression has two outcomes", "write `X if P else Y`"
                )
        return None

    def _ends_early(self) -> Diagnostic | None:
        if self.at < len(self._tokens):
            return None
        last = self._tokens[-1]
        first = self._first.value
        forms = {
            "let": "`let name = value`",
            "for every": "`for every x in S: ...`",
            "choose": "`choose x in S`",
            "strip": "`strip name: icons`",
            "choose amounts": "`choose amounts n for x in S`",
            "set": "`set field to value`",
        }
        if last.type in ("COLON", "EQ"):
            return self._diagnostic("RW0122", last, f"a value is missing behind `{last.value}`", "write an expression")
        help = f"the whole of it is {forms[first]}" if first in forms else f"after it I expected {self._expected()}"
        span = Span(self.path, last.end, last.end)
        return Diagnostic("RW0124", Severity.ERROR, span, f"this line ends too early, behind `{last.value}`", help)

    def _general(self) -> Diagnostic:
        token = self._tokens[self.at]
        joins = [word for word, terminal in JOINING.items() if terminal in self.accepts]
        if token.type == "NAME" and token.words is None and (near := nearest(token.value, joins)):
            return self._diagnostic("RW0111", token, f"I read `{token.value}`", f"did you mean `{near}`?")
        words = [t.value for t in self._tokens[max(self.at - 1, 0) : self.at + 2]]
        if self.at and (known := known_misfit(self._first.value, words, "IN" in self.accepts)):
            return self._diagnostic(known[0], token, *known[1:])
        behind = f" behind `{self._tokens[self.at - 1].value}`" if self.at else " at the beginning of a line"
        return self._diagnostic(
            "RW0123", token, f"`{token.value}` does not fit{behind}", f"I expected {self._expected()} here"
        )

    def _expected(self) -> str:
        """A list of all that the parser would accept, in words for designers."""
        accepts = self.accepts
        ways = []
        if "NUM" in accepts and "LPAR" in accepts and "MINUS" in accepts and "PLUS" not in accepts:
            ways.append("a value")
        elif "NAME" in accepts and "COMPARE" not in accepts:
            ways.append("a name")
        for terminal, shown in (
            ("IN", "`in`"),
            ("EQ", "`=`"),
            ("FOR", "`for`"),
            ("DEGREE", "`highest` or `lowest`"),
            ("WITHIN", "`within`"),
            ("CLAUSE", "a clause"),
            ("COLON", "`:`"),
            ("RPAR", "`)`"),
            ("RSQB", "`]`"),
            ("RBRACE", "`}`"),
            ("COMMA", "`,`"),
            ("DOT", "`.`"),
            ("NEWLINE", "the end of the line"),
            ("$END", "the end of the line"),
        ):
            if terminal in accepts and not (terminal in ("IN", "DOT") and len(accepts) > 6):
                ways.append(shown)
        if not ways:
            return "something else"
        return ways[0] if len(ways) == 1 else ", ".join(ways[:-1]) + " or " + ways[-1]
