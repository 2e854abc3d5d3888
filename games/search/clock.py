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
    """

    main: float = 0.0
    period: float = 1.0
    stones: int = 0
    left: dict[Side, tuple[float, int]] = field(init=False)

    def __post_init__(self) -> None:
        self.restart()

    @property
    def is_limit(self) -> bool:
        return not (self.stones == 0 and self.period > 0)

    def restart(self) -> None:
        """Both sides have their full time again."""
        self.left = dict.fromkeys(Side, (self.main, 0))
        if self.main <= 0 and self.stones:
            self.left = dict.fromkeys(Side, (self.period, self.stones))

    def set_left(self, side: Side, seconds: float, stones: int) -> None:
        """`seconds` left for the next `stones` turns, or of main time if 0."""
        self.left[side] = seconds, stones

    def budget(self, side: Side) -> float:
        """The seconds that `side` may use for its next turn; inf for no limit."""
        if not self.is_limit:
            return math.inf
        seconds, stones = self.left[side]
        if not stones and self.stones:
            seconds += self.period
        return max(seconds, 0.0) / SHARE

    def spend(self, side: Side, used: float) -> None:
        """Count a turn of `side` that took `used` seconds."""
        if not self.is_limit:
            return
        seconds, stones = self.left[side]
        seconds -= used
        if stones:
            stones -= 1
            if stones == 0:
                seconds, stones = self.period, self.stones
        elif seconds <= 0 and self.stones:
            # Main time is over: the turns of a period begin to count.
            seconds, stones = max(seconds + self.period, 0.0), self.stones
        self.left[side] = seconds, stones
