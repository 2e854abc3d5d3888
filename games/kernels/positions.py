"""Kernel states in the form of positions, so that perft can count with them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

from games import kernels
from games.contract import Position, Step, Turn
from games.kernels.compiled import compiled
from games.kernels.contract import State, copy, legal_steps, play, to_move, winner


@dataclass(frozen=True, slots=True)
class KernelTurn:
    """A whole turn: its compiled steps, and the position they lead to."""

    steps: tuple[int, ...]
    following: "KernelPosition" = field(compare=False)


@dataclass(frozen=True, slots=True)
class KernelPosition:
    """A state of one kernel; equal where the kernel's keys are."""

    kernel: ModuleType = field(compare=False)
    capacity: int = field(compare=False)
    state: State = field(compare=False)
    key: bytes

    @classmethod
    def of(cls, position: Position) -> "KernelPosition":
        kernel = kernels.load(position.rules.name)
        state = kernel.state_of(position)
        return cls(kernel, kernel.capacity(position.rules), state, kernel.key(state))

    def turns(self) -> Sequence[KernelTurn]:
        """Every whole turn once: steps whose order does not matter are one turn."""
        found: dict[bytes, KernelTurn] = {}
        unfinished: list[tuple[tuple[int, ...], KernelPosition]] = [((), self)]
        out = np.empty(self.capacity, np.int32)
        while unfinished:
            begun, position = unfinished.pop()
            for step in out[: count_steps(position.state, out)].tolist():
                after = fresh(self.state)
                is_whole = advance(position.state, after, step)
                steps = (*begun, step)
                key = self.kernel.key(after)
                following = KernelPosition(self.kernel, self.capacity, after, key)
                if not is_whole:
                    unfinished.append((steps, following))
                elif key not in found:
                    found[key] = KernelTurn(steps, following)
        return list(found.values())

    def play(self, turn: KernelTurn) -> "KernelPosition":
        return turn.following


def readable(position: Position, turn: KernelTurn) -> Turn:
    """`turn`, found in the state of `position`, as the readable rules have it."""
    kernel = kernels.load(position.rules.name)
    steps: tuple[Step, ...] = ()
    for step in turn.steps:
        steps += (kernel.decode(position, steps, step),)
    return position.turn(steps)


def fresh(state: State) -> Any:
    """Uninitialised arrays of the same shapes; tables, read-only, are shared."""
    return type(state)(
        *(np.empty_like(array) if array.flags.writeable else array for array in state)
    )


@compiled
def count_steps(state: State, out: Any) -> int:
    return legal_steps(state, out)


@compiled
def advance(before: State, after: State, step: int) -> bool:
    """Make `after` what `step` leads to; whether the turn is over with it."""
    copy(after, before)
    play(after, step)
    return winner(after) >= 0 or to_move(after) != to_move(before)
