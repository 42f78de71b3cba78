r"""Sound from numbers: notes as a waveform, and a player for a notebook.

A note of MIDI number p has the frequency $440 \cdot 2^{(p - 69)/12}$ hertz. A plucked
string is imitated by its first few harmonics, each quieter than the one before, all
fading. Samples are stored with 8 bits at 8000 a second, enough for a tune, and a tenth
of the size of a compact disc's sound.
"""

import io
import wave
from collections.abc import Sequence

import numpy as np
from IPython.display import Audio

RATE = 8000  # samples a second
HARMONICS = (1.0, 0.5, 0.25, 0.12)
FADE = 3.0  # the sound falls to 1/e in a third of a second
ATTACK = 0.01  # seconds until a note is at its loudest

Note = tuple[float, float, float]  # start, length, MIDI pitch


def frequency(pitch: float) -> float:
    """Hertz of a MIDI number: 69 -> 440, twelve more -> twice as much."""
    return 440.0 * 2.0 ** ((pitch - 69) / 12)


def pluck(pitch: float, seconds: float, rate: int = RATE) -> np.ndarray:
    """One note.  -> (seconds * rate,)"""
    t = np.arange(round(seconds * rate)) / rate
    tone = sum(
        loud * np.sin(2 * np.pi * k * frequency(pitch) * t)
        for k, loud in enumerate(HARMONICS, start=1)
        if k * frequency(pitch) < rate / 2  # higher ones would fold back
    )
    return tone * np.exp(-FADE * t) * np.minimum(1, t / ATTACK)


def render(notes: Sequence[Note], eighth: float = 0.2, rate: int = RATE) -> np.ndarray:
    """Notes (start and length in eighths) as samples between -1 and 1.  -> (samples,)

    eighth  how many seconds an eighth lasts
    """
    if not notes:
        raise ValueError("render() was given no notes: there is nothing to hear")
    end = max(start + length for start, length, _ in notes)
    sound = np.zeros(round(end * eighth * rate) + 1)
    for start, length, pitch in notes:
        tone = pluck(pitch, length * eighth, rate)
        first = round(start * eighth * rate)
        sound[first : first + len(tone)] += tone[: len(sound) - first]
    return 0.9 * sound / np.abs(sound).max()


def wav(samples: np.ndarray, rate: int = RATE) -> bytes:
    """Samples between -1 and 1 as a WAV file with 8 bits per sample."""
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(1)
        out.setframerate(rate)
        loud = np.round(127.5 + 127 * np.clip(samples, -1, 1)).astype("u1")
        out.writeframes(loud.tobytes())
    return file.getvalue()


def player(notes: Sequence[Note], eighth: float = 0.2) -> Audio:
    """A button that plays the notes, for the last line of a cell."""
    return Audio(wav(render(notes, eighth)), rate=RATE)
