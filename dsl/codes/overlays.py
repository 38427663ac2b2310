"""Codes RW10xx: errata and variants."""

from dsl.codes.code import Code

CODES: dict[str, Code] = {
    code.code: code
    for code in (
        Code(
            "RW1001",
            "What stands in an overlay",
            "A file of errata or of a variant holds blocks `errata NAME on RULESET` and `variant NAME on "
            "RULESET`; the changes stand inside.",
            "value wild: bool = true\n",
            "errata fixes on test\n"
            "    replace ripe\n"
            "        value ripe(t: Tree): bool = t.age > 3\n",
        ),
        Code(
            "RW1002",
            "There is nothing to change",
            "The address of a change is the dotted path of names to a declaration, a step or a part of a card. "
            "It must exist.",
            "errata fixes on test\n"
            "    replace rippe\n"
            "        value ripe(t: Tree): bool = t.age > 3\n",
            "errata fixes on test\n"
            "    replace ripe\n"
            "        value ripe(t: Tree): bool = t.age > 3\n",
        ),
        Code(
            "RW1003",
            "It is not what the patch was written for",
            '`was "DIGEST"` says what the changed part read when the patch was written. It reads otherwise now, '
            "so look at both before going on.",
            "errata fixes on test\n"
            '    replace ripe was "0000"\n'
            "        value ripe(t: Tree): bool = t.age > 3\n",
            "errata fixes on test\n"
            "    replace ripe\n"
            "        value ripe(t: Tree): bool = t.age > 3\n",
        ),
        Code(
            "RW1004",
            "It can not be altered like this",
            "`alter ADDRESS from OLD to NEW` changes one value of a row, or the default of an option, and names "
            "what it finds there.",
            "errata fixes on test\n"
            "    alter rain.cost from 5 to 6\n",
            "errata fixes on test\n"
            "    alter rain.cost from 2 to 6\n",
        ),
    )
}
