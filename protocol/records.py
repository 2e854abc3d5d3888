"""What is written down of a game, and how it is checked. spec/matches.md §6 and §7.

A record is made of dictionaries, lists, text, numbers and None only, so that it is
the same after a journey through JSON.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

from games import described, open_game
from games.contract import SWAP, Position, Rules, Side
from games.errors import GameError, shorten
from games.variants import parse_variant
from protocol.endings import (
    ABNORMAL,
    ENDINGS,
    RESIGN,
    RULES,
    UNDECIDED,
    VOID,
    score_text,
)

VERSION = 1  # of the record; goes up when a reader would have to know
EVERY = 20  # turns from one check of the position to the next


class BadRecord(ValueError):
    """The record contradicts itself or the rules; the message says where."""


def watchers_of(record: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What a record says of those who watched, by name."""
    return {**record.get("referee", {}), **record.get("observers", {})}


def is_odd(record: Mapping[str, Any]) -> bool:
    """Whether what was said in this game is kept in any case."""
    result = record["result"]
    return (
        result["how"] in ABNORMAL
        or (result["how"] == RULES and bool(result["detail"]))
        or any(facts["fault"] for facts in watchers_of(record).values())
    )


def position_text(position: Position) -> str:
    """A position as all engines that follow spec/protocol.md show it."""
    rules = position.rules
    lines = [
        described(rules),
        position.diagram(),
        f"{position.to_move.word} to move"
        if position.winner is None
        else f"{position.winner.word} wins: {score_of(position)}",
    ]
    return "\n".join(lines)


def score_of(position: Position) -> str:
    assert position.winner is not None
    return f"{position.winner.letter.upper()}+{position.margin or ''}"


def position_hash(position: Position) -> str:
    return "sha256:" + hashlib.sha256(position_text(position).encode()).hexdigest()


def may_swap(position: Position) -> bool:
    """Whether the side to move may answer with `swap`."""
    try:
        position.play(SWAP)
    except GameError:
        return False
    return True


def rules_of(record: Mapping[str, Any]) -> Rules:
    """The rules that a record or a job names; raises BadRecord."""
    try:
        variant = record["variant"]
        if isinstance(variant, str):
            variant = parse_variant(variant)
        return open_game(record["game"], record["size"], variant)
    except KeyError as error:
        raise BadRecord(f"unknown or missing: {error}") from None
    except GameError as error:
        raise BadRecord(str(error)) from None


def replay(record: Mapping[str, Any]) -> Position:
    """The last position of a record; raises BadRecord at the first contradiction.

    Checked are each turn and whose it was, every hash, the swap, and that the result
    is one that this kind of ending can have.
    """
    if (version := record.get("rec")) != VERSION:
        raise BadRecord(f"rec is {version!r:.50}, expected {VERSION}")
    position = rules_of(record).start()
    checks = dict(record["check"])
    turns = turns_of(record)
    for number, (letter, token) in enumerate(turns, 1):
        if letter != position.to_move.letter:
            raise BadRecord(f"turn {number} is not {letter}'s")
        if number == 2:
            check_swap(record, position, token)
        try:
            turn = position.read(token)
            position = position.play(turn)
        except GameError as error:
            raise BadRecord(f"turn {number}: {error}") from None
        if position.rules.write(turn) != token:
            raise BadRecord(f"turn {number} is not written as it should be")
        if number % EVERY == 0 and checks.pop(number, "") != position_hash(position):
            raise BadRecord(f"the position after turn {number} is another one")
    final = record["final"]
    if len(turns) < 2:
        check_swap(record, position, "")
    ends = len(turns), position.to_move.letter
    if checks or (final["ply"], final["to_move"]) != ends:
        raise BadRecord("the number of turns is another one")
    if final["hash"] != position_hash(position):
        raise BadRecord("the last position is another one")
    check_result(record, position)
    return position


def turns_of(record: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Side and token of each turn; the word `resign` that may follow is none."""
    turns = [(letter, token) for letter, token, *_ in record["turns"]]
    result = record["result"]
    if turns and turns[-1][1] == RESIGN:
        letter, _ = turns.pop()
        other = {"b": "w", "w": "b"}.get(letter)
        if result["how"] == RESIGN and result["side"] == other:
            return turns
    elif result["how"] != RESIGN:
        return turns
    raise BadRecord("resign and the result do not belong together")


def check_swap(record: Mapping[str, Any], position: Position, token: str) -> None:
    offered = position.last is not None and may_swap(position)
    swap = record["swap"]
    if (swap is not None) != offered:
        raise BadRecord("swap was offered" if offered else "no swap was offered")
    if swap and swap["taken"] != (token == SWAP):
        raise BadRecord("the record is wrong about swap")


def check_result(record: Mapping[str, Any], position: Position) -> None:
    result, players = record["result"], record["players"]
    how, side, winner = result["how"], result["side"], result["winner"]
    if how not in ENDINGS:
        raise BadRecord(f"no game ends by {shorten(str(how))}")
    sides = {s.letter: players[s.word] for s in Side}
    if winner != sides.get(side) or result["score"] != score_text(how, side):
        raise BadRecord("winner, side and score do not belong together")
    if (side is None) != (how in UNDECIDED):
        raise BadRecord(f"{how} with the winner {winner}")
    won = None if position.winner is None else position.winner.letter
    if how == VOID:  # which may have been spoilt at its last turn
        return
    if (how == RULES) != (won is not None) or (won and won != side):
        found = f"{won} has won" if won else "nobody has won"
        raise BadRecord(f"by the rules {found}; the record says {how}, {side}")
