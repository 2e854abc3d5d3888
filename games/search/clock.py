"""How long a turn may take when a clock runs: one twentieth of what is left.

Times are seconds. The clock is the player's own: it counts down by what each turn
took, and a referee that knows better says so (`set_left`).
"""

import math
from dataclasses import dataclass, field

from games.contract import Side

SHARE = 20


@dataclass(slots=True)
class Clock:
    """`main` seconds, then `period` seconds for every `stones` turns.

    No limit if `period` is positive and `stones` 0; none after `main` if both are 0.
    `left` holds for each side the seconds it has for its next so many turns, 0 turns
    meaning main time; None where nothing limits it.
    """

    main: float = 0.0
    period: float = 1.0
    stones: int = 0
    left: dict[Side, tuple[float, int] | None] = field(init=False)

    def __post_init__(self) -> None:
        self.restart()

    @property
    def is_limit(self) -> bool:
        return not (self.stones == 0 and self.period > 0)

    def restart(self) -> None:
        """Both sides have their full time again."""
        full = (self.main, 0)
        if self.main <= 0 and self.stones:
            full = (self.period, self.stones)
        self.left = dict.fromkeys(Side, full if self.is_limit else None)

    def set_left(self, side: Side, seconds: float, stones: int) -> None:
        """`seconds` left for the next `stones` turns, or of main time if 0."""
        self.left[side] = seconds, stones

    def budget(self, side: Side) -> float:
        """The seconds that `side` may use for its next turn; inf for no limit."""
        left = self.left[side]
        if left is None:
            return math.inf
        seconds, stones = left
        if not stones and self.stones:
            seconds += self.period
        return max(seconds, 0.0) / SHARE

    def spend(self, side: Side, used: float) -> None:
        """Count a turn of `side` that took `used` seconds."""
        left = self.left[side]
        if left is None:
            return
        seconds, stones = left
        seconds -= used
        if stones == 1 and self.stones:
            seconds, stones = self.period, self.stones
        elif stones:
            stones -= 1
        elif seconds <= 0 and self.stones:
            # Main time is over: what this turn took of the period counts there.
            seconds, stones = max(seconds + self.period, 0.0), self.stones
        self.left[side] = seconds, stones
