"""Random numbers for compiled loops: xorshift64*, one word of state.

Vigna, "An experimental exploration of Marsaglia's xorshift generators,
scrambled", 2016. The state is an array of shape (1,), uint64, not 0.
"""

import numpy as np
from numpy.typing import NDArray

from games.kernels.compiled import compiled

Dice = NDArray[np.uint64]

MULTIPLIER = np.uint64(0x2545F4914F6CDD1D)
GOLDEN = 0x9E3779B97F4A7C15


def dice(seed: int) -> Dice:
    """Fresh dice; equal seeds give equal numbers on every machine."""
    word = (seed + 1) * GOLDEN & (2**64 - 1)
    return np.array([word or GOLDEN], np.uint64)


@compiled
def below(dice: Dice, n: int) -> int:
    """A number from 0 to n - 1; n is at most 2**32. Modifies `dice`."""
    word = dice[0]
    word ^= word >> np.uint64(12)
    word ^= word << np.uint64(25)
    word ^= word >> np.uint64(27)
    dice[0] = word
    high = (word * MULTIPLIER) >> np.uint64(32)
    return int((high * np.uint64(n)) >> np.uint64(32))
