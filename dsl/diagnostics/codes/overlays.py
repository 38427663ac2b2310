"""Codes RW10xx: errata and variants."""

from dsl.diagnostics.code import Code

CODES: dict[str, Code] = {
    code.code: code
    for code in (
        Code(
            "RW1001",
            "What stands in an overlay",
            "A file of errata or of a variant holds blocks `errata NAME on RULESET` and `variant NAME on "
            "RULESET`; the changes stand inside.",
            "value wild: bool = true\n",
            'errata fixes on test dated "2011-07-01"\n'
            "    replace ripe\n"
            "        value ripe(t: Tree): bool = t.age > 3\n",
        ),
        Code(
            "RW1002",
            "There is nothing to change",
            "The address of a change is the dotted path of names to a declaration, a step or a part of a card. "
            "It must exist.",
            'errata fixes on test dated "2011-07-01"\n'
            "    replace rippe\n"
            "        value ripe(t: Tree): bool = t.age > 3\n",
            'errata fixes on test dated "2011-07-01"\n'
            "    replace ripe\n"
            "        value ripe(t: Tree): bool = t.age > 3\n",
        ),
        Code(
            "RW1003",
            "It is not what the patch was written for",
            '`was "DIGEST"` says what the changed part read when the patch was written. It reads otherwise now, '
            "so look at both before going on.",
            'errata fixes on test dated "2011-07-01"\n'
            '    replace ripe was "0000"\n'
            "        value ripe(t: Tree): bool = t.age > 3\n",
            'errata fixes on test dated "2011-07-01"\n'
            "    replace ripe\n"
            "        value ripe(t: Tree): bool = t.age > 3\n",
        ),
        Code(
            "RW1004",
            "It can not be altered like this",
            "`alter ADDRESS from OLD to NEW` changes one word or number: a row, the default of an option, else the one "
            "place where OLD stands. It must stand there, and only once.",
            'errata fixes on test dated "2011-07-01"\n    alter rain.cost from 5 to 6\n',
            'errata fixes on test dated "2011-07-01"\n    alter rain.cost from 2 to 6\n',
        ),
        Code(
            "RW1005",
            "Two overlays change one place",
            "Two overlays that were not made for one another touch the same address, or one of them touches a part of "
            "what the other replaces, or both set the same text or the same field of a record. Which of them shall "
            "hold is not for the order of loading to say: leave one out, or let one say that it is `on` the other.",
            "variant wet on test\n    drop rain\n",
            "variant wet on dry\n    drop rain\n",
        ),
        Code(
            "RW1006",
            "The date of errata",
            "Errata say since when they hold: year, month and day. They apply in the order of their dates, and a game "
            "can be looked at as of a day.",
            'errata fixes on test dated "summer 2011"\n    alter rain.cost from 2 to 1\n',
            'errata fixes on test dated "2011-07-01"\n    alter rain.cost from 2 to 1\n',
        ),
        Code(
            "RW1007",
            "What an overlay is on",
            "Behind `on` stands the id of the ruleset, or other overlays that come before this one. Those must be "
            "there, and two overlays can not be on one another.",
            "variant dry on wett\n    alter rain.cost from 2 to 1\n",
            "variant dry on wet\n    alter rain.cost from 2 to 1\n",
        ),
    )
}
