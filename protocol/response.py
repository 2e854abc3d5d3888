"""Answers, as they go over the wire. spec/protocol.md §3."""

import re

END = "\n\n"


def success(id: str, text: str) -> str:  # noqa: A002 - the protocol's own word
    r"""
    >>> success("7", "C3")
    '=7 C3\n\n'
    >>> success("", "")
    '= \n\n'
    """
    return _answer("=", id, text)


def failure(id: str, text: str) -> str:  # noqa: A002
    r"""
    >>> failure("", "cannot undo")
    '? cannot undo\n\n'
    """
    return _answer("?", id, text)


def _answer(mark: str, id: str, text: str) -> str:  # noqa: A002
    # An empty line ends the answer, so a text must not contain one; and some
    # clients look for the space even when nothing follows it.
    body = re.sub(r"\n(?=\n)", "\n ", text.rstrip())
    return f"{mark}{id} {body}{END}"
