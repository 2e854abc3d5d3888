"""The lines of a journal: a record each, with a checksum. spec/matches.md §12."""

import json
import zlib
from collections.abc import Mapping
from typing import Any

CRC = b',"crc":"%08x"}\n'  # how a line ends
TAIL = len(CRC % 0)
# Marks in a record. Inside a JSON string there is a backslash before each quote, so
# that nothing that was said can be taken for them.
TURNS, SWAP = b',"turns":[[', b']],"swap":'
FINAL, CLOCK = b',"final":{', b',"clock":{'
BLACK, WHITE, GIVEN = b'["b",', b'["w",', b',"book"'

DECODER = json.JSONDecoder()  # `json.loads` looks for encodings, and for blanks

Record = dict[str, Any]


class BadLine(ValueError):
    """The line is not as it was written."""


def line_of(record: Mapping[str, Any]) -> bytes:
    """The record with its checksum, which covers all the bytes before it."""
    body = json.dumps(record, separators=(",", ":"))[:-1].encode()
    return body + CRC % zlib.crc32(body)


def record_of(line: bytes) -> Record:
    """The way back, without the checksum; raises BadLine."""
    return loaded(body_of(line))


def summary_of(line: bytes) -> Record:
    """What standings need of the record, which is read in half the time.

    Instead of `turns` there is `counted`: how many there are, and how many of them
    each side has thought about; `final` and `check` are left out. Only where the line
    is not in the order of spec/matches.md §6, or has no turns, it is the record as it
    is. Raises BadLine.
    """
    body = body_of(line)
    start = body.find(TURNS)
    end = body.find(SWAP, start)
    final = body.find(FINAL, end)
    clock = body.find(CLOCK, final)
    if min(start, end, final, clock) < 0:
        return loaded(body)
    record = loaded(body[:start] + body[end + 2 : final] + body[clock:])
    black, white = (body.count(turn, start, end) for turn in (BLACK, WHITE))
    counted = {"turns": black + white, "b": black, "w": white}
    given = body.rfind(GIVEN, start, end)  # the last one that was, and all before it
    if given >= 0:
        counted |= {"b": body.count(BLACK, given, end)}
        counted |= {"w": body.count(WHITE, given, end)}
    record["counted"] = counted
    return record


def body_of(line: bytes) -> bytes:
    body = line[:-TAIL]
    if line[-TAIL:] != CRC % zlib.crc32(body):
        raise BadLine("the checksum is wrong")
    return body


def loaded(body: bytes) -> Record:
    try:
        text = (body + b"}").decode()
        record, end = DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        raise BadLine("the line is no record") from None
    if end != len(text) or not isinstance(record, dict):
        raise BadLine("the line is no record")
    return record
