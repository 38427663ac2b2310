"""The messages of the terminal while a game is played, in each language; texts of the game come from the ruleset."""

from __future__ import annotations

from tools.base.errors import UserError

LANGUAGES = ("en", "ja")

TEXTS: dict[str, dict[str, str]] = {
    "en": {
        "asked": "{who}: {prompt}",
        "you": "{actor} (seat {seat})",
        "choice": "your choice (help, why ..): ",
        "more": "-- {n} more: press Enter to see them --",
        "more_board": "-- not shown: {names}; 'board' draws all, 'board NAME' draws one --",
        "sure": "{option}: are you sure? (y to do it) ",
        "hand_over": "-- {who} to the screen: press Enter --",
        "no_panel": "nothing on the board is called '{name}'.",
        "range": "a number from {low} to {high}",
        "several": "  (several at once are possible: {example})",
        "undone": "taken back.",
        "undo_none": "there is nothing to take back yet.",
        "undo_revealed": "that cannot be taken back: something has been revealed since.",
        "saved": "saved as {file}; continue with: {command}",
        "left_before": "a game of this was left without being saved, last played {when}; go on with: {command}",
        "not_kept": "the game is not kept while you play: {why}.",
        "not_saved": "the game could not be saved as {file}: {why}.",
        "foreign": "{file} already exists and is not this game; choose another name.",
        "left": "you leave the game.",
        "why_what": "why what? Write for example: why {example}",
        "try_what": "try what? Write for example: try {example}",
        "pay_what": "pay for which option? Write for example: pay {example}",
        "try_chance": "chance or something hidden decides what happens.",
        "try_nothing": "none of the watched values changes immediately.",
        "open": "  (others may answer too: 'wait' lets them go first)",
        "wait_none": "nobody else is being asked now.",
        "now_none": "there is nothing to do out of turn.",
        "undecided": "  (not decided within {tries} tries, so not offered: {answers})",
        "now_some": "  ({n} more can be done out of turn: 'now' lists them)",
        "seat": "seat {seat}",
        "info_what": "about what? Write for example: info {example}",
        "no_hand": "you hold nothing that others do not see.",
        "unknown": (
            "'{typed}' is not an answer here. Type the number or the words of an option; "
            "'options' lists them, 'help' explains."
        ),
        "command": "'{typed}' is not a command or an answer: did you mean '{guess}'?",
        "refused": "that is not possible:",
        "offered": "{words} is offered as number {n}.",
        "not_offered": "{words} is not offered:",
        "is_false": "{text} (`{guard}` is false)",
        "seen": "{name} is {value}",
        "number": "there is no option {n}: choose from {low} to {high}.",
        "no_log": "nothing has happened yet.",
        "no_info": "nothing is called '{name}' here.",
        "no_info_guess": "nothing is called '{name}' here: did you mean '{guess}'?",
        "clauses": "clauses",
        "lies_in": "lies in",
        "seed": "{title}: {seats} seats, seed {seed}",
        "hidden": "hidden",
        "scores": "Final scores",
        "winner": "Winner: {names}",
        "draw": "Draw: {names}",
        "lost": "Nobody wins: the game has beaten you.",
        "points": "now {scores}",
        "help": (
            "  3            choose option number 3\n"
            "  WORDS        choose by the words of an answer; several with commas\n"
            "  why WORDS    why an answer is not offered\n"
            "  try 3        what would change\n"
            "  pay 3        choose option 3 and say how to pay for it, and how to gain\n"
            "  now [N]      what can be done out of turn\n"
            "  options      list the options again\n"
            "  board [NAME] draw the board, or one part of it\n"
            "  hand         what only you can see\n"
            "  info NAME    about a thing, a card or a clause; info 3 (or ? 3) about option 3\n"
            "  log [N]      the last N lines of what happened\n"
            "  wait         let others answer first, where they may\n"
            "  undo         take the last choice back, if nothing was revealed\n"
            "  save [FILE]  save the game\n"
            "  quit         leave; the game is saved"
        ),
    },
    "ja": {
        "asked": "{who}：{prompt}",
        "you": "{actor}（席{seat}）",
        "choice": "選択（help, why ..）: ",
        "more": "-- あと{n}件：Enterで表示 --",
        "more_board": "-- 省略：{names}（board で全部、board 名前 で1つ） --",
        "sure": "{option}：よろしいですか（y で実行）: ",
        "hand_over": "-- {who}に交代：Enterで続ける --",
        "no_panel": "盤面に「{name}」というものはありません。",
        "range": "{low}から{high}までの数",
        "several": "  （まとめて答えることもできます：{example}）",
        "undone": "取り消しました。",
        "undo_none": "まだ取り消せるものはありません。",
        "undo_revealed": "その後に公開された情報があるため、取り消せません。",
        "saved": "{file} に保存しました。続きは: {command}",
        "left_before": "保存せずに終わったゲームがあります(最後に遊んだのは{when})。続きは: {command}",
        "not_kept": "プレイ中の自動保存ができません: {why}",
        "not_saved": "{file} に保存できませんでした: {why}",
        "foreign": "{file} は既にあり、このゲームの保存ではありません。別の名前にしてください。",
        "left": "ゲームを離れます。",
        "why_what": "どの答えについてですか。例: why {example}",
        "try_what": "どれを試しますか。例: try {example}",
        "pay_what": "どれを払いますか。例：pay {example}",
        "try_chance": "結果は偶然か非公開の情報で決まります。",
        "try_nothing": "すぐに変わる値はありません。",
        "open": "  （ほかの人も答えられます：wait で先を譲る）",
        "wait_none": "いま問われているのはあなただけです。",
        "now_none": "手番外でできることはありません。",
        "undecided": "  （{tries}回の試行では判定できないので選べません：{answers}）",
        "now_some": "  （手番外でできることが{n}件あります：now で一覧）",
        "seat": "席{seat}",
        "info_what": "何についてですか。例: info {example}",
        "no_hand": "あなただけに見えるものはありません。",
        "unknown": "「{typed}」はここでの答えではありません。番号か言葉をどうぞ。一覧は options、説明は help。",
        "command": "「{typed}」は命令でも答えでもありません。「{guess}」のことですか。",
        "refused": "それはできません：",
        "offered": "{words} は選べます（{n}番）。",
        "not_offered": "{words} は選べません：",
        "is_false": "{text}（`{guard}` が成り立たない）",
        "seen": "{name} は {value}",
        "number": "{n}番はありません。{low}から{high}までです。",
        "no_log": "まだ何も起きていません。",
        "no_info": "「{name}」というものはありません。",
        "no_info_guess": "「{name}」というものはありません。「{guess}」のことですか。",
        "clauses": "条項",
        "lies_in": "場所",
        "seed": "{title}：{seats}席、シード {seed}",
        "hidden": "非公開",
        "scores": "最終得点",
        "winner": "勝者：{names}",
        "draw": "引き分け：{names}",
        "lost": "勝者なし：ゲームの勝ちです。",
        "points": "得点 {scores}",
        "help": (
            "  3            3番を選ぶ\n"
            "  言葉         一覧の言葉やidで選ぶ（複数はコンマで区切る）\n"
            "  why 言葉     なぜ選べないか\n"
            "  try 3        選ぶと何が変わるか\n"
            "  pay 3        3番を選び、支払い方と受け取り方を決める\n"
            "  now [番号]   手番外でできること\n"
            "  options      選択肢をもう一度\n"
            "  board [名前] 盤面（名前はその一部）\n"
            "  hand         自分だけに見えるもの\n"
            "  info 名前    もの、カード、条項について（info 3 または ? 3 は3番の選択肢について）\n"
            "  log [N]      これまでの出来事（最後のN行）\n"
            "  wait         先を譲る（ほかの人も答えられるとき）\n"
            "  undo         直前の選択を取り消す（公開情報がなければ）\n"
            "  save [名前]  保存\n"
            "  quit         やめる（自動で保存）"
        ),
    },
}


def message(lang: str, key: str, **parts: object) -> str:
    """The message of this key in a language, English where there is none, with its parts filled in."""
    text = TEXTS.get(lang, TEXTS["en"])[key]
    return text.format(**parts) if parts else text


def check_language(lang: str) -> str:
    if lang not in LANGUAGES:
        raise UserError(f"--lang is {' or '.join(LANGUAGES)}, not '{lang}'.")
    return lang
