"""Bits first, then powers of two."""

# replaces: answer_measures

import math


def measures(loss, tokens, characters):
    bits = loss * math.log2(math.e)
    return [2**bits, bits * tokens / characters]
