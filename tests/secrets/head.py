"""What every random program with secrets declares: zones, fields and pieces of every audience, values over them.

Cards lie in hands (seen by their owner), on brows (seen by all but the one whose brow it is), in a vault (seen by its
keeper), in a box (seen by nobody) and on the table. `TOLD` marks the values that the programs use inside `openly(...)`
alone: what one of them gives while a game runs is told.
"""

CARDS = 8
TOLD = "heard"
GUARD = "guard"  # the field that the audience of the vault depends on

DECLARED = f"""\
enum Cause: dealt, played
kind Card: {CARDS}
piece coin
piece gem
piece bead by Hue each 4 from bag
enum Hue: pale, dark
zone box: Card seen by nobody
zone deck: Card ordered seen by nobody
zone vault: Card seen by keeper
zone pile: Card
zone bag: bead
kind Seat
    zone hand: Card seen by owner
    zone brow: Card seen by others
    zone table_: Card
    zone safe: gem seen by owner
    zone pouch: bead seen by owner
    zone purse: coin
    field secret: 0..99 seen by owner
    field back: 0..99 seen by others
    field open_: 0..99
field hush: 0..99 seen by nobody
field tally: 0..99
field flag: bool
field boss: Seat
field asker: Seat
field guard: Seat
field marks: set of Card
value keeper(p: Seat): bool = p is guard
value others(p: Seat, q: Seat): bool = p is not q
value rank(c: Card): int = 1 if c in {{card_1, card_2, card_3}} else 2 if c in {{card_4, card_5}} else 3
value low(c: Card): bool = rank(c) is 1
value worth(p: Seat): int = sum(c in p.hand: rank(c))
value fits(p: Seat, c: Card): bool = rank(c) <= p.secret
value best(p: Seat): set of Card = tied(c in p.hand with highest rank(c))
action spend(p: Seat, n: 0..3)
    require p.secret >= n because "not enough"
    set p.secret to p.secret - n
action lay(p: Seat, c: Card)
    choose d in p.hand where fits(p, d) and d is not c by p
    move d to p.table_ as played
value heard_truth(t: bool): bool = t
value heard_number(n: int): int = n
value heard_cards(s: set of Card): set of Card = s
"""

DEAL = """\
    for every c in Card: move c to box
    for every p in seats, i in 1..2
        random c in box
        move c to p.hand as dealt
    for every p in seats
        random c in box
        move c to p.brow as dealt
        random number w in 0..3 seen by p
        set p.secret to w
        gain w gem by p
"""

PREVIEW = ("secret", "back", "open_", "tally", "flag", "boss", "marks", "hand", "brow", "pile", "vault", "worth")
