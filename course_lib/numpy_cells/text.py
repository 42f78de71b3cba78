r"""What a recurrent network needs around it to learn a text, letter by letter.

A training step of a **language model**: read a window of letters, predict after each
one the next (`windows`, `one_hot`, `Readout`), measure the **cross-entropy** and its
gradients (`readout_loss`), keep them from exploding (`clip`), move the
weights (`Adam`). The state at the end of a window is the state before the next
one, but gradients stop at the border: **truncated back-propagation through time**.

A network is here any `run(x, state) -> h, state`: x (B, T, V) one-hot, h (B, T, d_h);
the state None stands for the beginning. Lectures 02 and 04.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from course_lib.numpy_cells.arrays import check_dtype, uniform
from course_lib.numpy_cells.gates import GatedWeights
from course_lib.numpy_cells.rnn import RNNWeights
from course_lib.shapes import check_shape

Run = Callable[[ndarray, object], tuple[ndarray, object]]


def windows(
    numbers: Int[ndarray, " N"], batch: int, length: int
) -> Iterator[tuple[Int[ndarray, "batch length"], Int[ndarray, "batch length"]]]:
    """Inputs and targets (batch, length), for ever; targets are one letter ahead.

    The text is cut into `batch` long rows. Row b of each window goes on where row b of
    the last one stopped, so that a state can be carried; after the last window the
    first follows again.
    """
    steps = (len(numbers) - 1) // (batch * length)
    if steps < 1:
        raise ValueError(
            f"{len(numbers)} letters are too few for {batch} rows of {length} and a "
            "last target"
        )
    size = batch * steps * length
    inputs = numbers[:size].reshape(batch, steps * length)
    targets = numbers[1 : size + 1].reshape(batch, steps * length)
    while True:
        for start in range(0, steps * length, length):
            here = slice(start, start + length)
            yield inputs[:, here], targets[:, here]


def one_hot(
    numbers: Int[ndarray, "B T"], size: int, dtype: type | np.dtype = np.float32
) -> Float[ndarray, "B T size"]:
    """A 1 in the place of each letter.  W_x times it picks one column of W_x."""
    return np.eye(size, dtype=dtype)[numbers]


@dataclass(frozen=True)
class Readout:
    """Logits = W_y h + b_y; or the gradients of the two, of the same shapes."""

    W_y: Float[ndarray, "V d_h"]
    b_y: Float[ndarray, " V"]

    @classmethod
    def init(
        cls, rng: np.random.Generator, d_h: int, size: int, dtype: type = np.float32
    ) -> "Readout":
        """Uniform, as torch's Linear."""
        shapes = (size, d_h), (size,)
        return cls(*(uniform(rng, shape, d_h, dtype) for shape in shapes))

    def logits(self, h: Float[ndarray, "*batch d_h"]) -> Float[ndarray, "*batch V"]:
        return h @ self.W_y.T + self.b_y


def readout_loss(
    readout: Readout, h: Float[ndarray, "B T d_h"], targets: Int[ndarray, "B T"]
) -> tuple[float, Readout, Float[ndarray, "B T d_h"]]:
    r"""Mean cross-entropy in nats per letter, its gradients, and dh.

    $$L = -\frac{1}{BT} \sum_{b, t} \log \hat y_{b t}[y^*_{b t}], \quad
    \hat y = \mathrm{softmax}(z), \quad
    \frac{\partial L}{\partial z} = \frac{\hat y - \text{one-hot}(y^*)}{BT}$$
    """
    V, d_h = readout.W_y.shape
    B, T = targets.shape
    check_shape("h", h, "B T d_h", "one state per target", B=B, T=T, d_h=d_h)
    check_dtype("h", h, readout.W_y.dtype)
    rows, goals = h.reshape(B * T, d_h), targets.reshape(B * T)
    z = readout.logits(rows)
    z -= z.max(axis=1, keepdims=True)  # softmax does not change, exp cannot overflow
    at_target = np.arange(B * T), goals
    log_y = z[at_target]
    np.exp(z, out=z)
    total = z.sum(axis=1, keepdims=True)
    loss = float(np.mean(np.log(total[:, 0]) - log_y))
    # dz = (y - one_hot(y*)) / BT
    dz = np.divide(z, total * (B * T), out=z)
    dz[at_target] -= 1 / (B * T)
    grads = Readout(W_y=dz.T @ rows, b_y=dz.sum(axis=0))
    return loss, grads, (dz @ readout.W_y).reshape(B, T, d_h)


def arrays(*weights: RNNWeights | GatedWeights | Readout) -> list[ndarray]:
    """All arrays of some weights, or of their gradients, in one order."""
    return [getattr(w, field.name) for w in weights for field in fields(w)]


def clip(gradients: Sequence[ndarray], limit: float | int) -> float:
    """Shorten all gradients together to the norm `limit`, in place; their norm before.

    One factor for all: the direction stays. Lecture 03 says why it is needed.
    """
    norm = float(np.sqrt(sum(np.vdot(g, g) for g in gradients)))
    if norm > limit:
        for gradient in gradients:
            gradient *= limit / norm
    return norm


class Adam:
    r"""Adam (Kingma and Ba 2015, arXiv:1412.6980); changes the parameters in place.

    $$m \leftarrow \beta_1 m + (1 - \beta_1) g \qquad
      v \leftarrow \beta_2 v + (1 - \beta_2) g^2 \qquad
      w \leftarrow w - \eta \frac{m / (1 - \beta_1^k)}{\sqrt{v / (1 - \beta_2^k)} +
      \epsilon}$$
    """

    def __init__(
        self,
        parameters: Sequence[ndarray],
        rate: float,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
    ) -> None:
        self.parameters, self.rate, self.betas, self.eps = parameters, rate, betas, eps
        self.steps = 0
        self.m = [np.zeros_like(w) for w in parameters]
        self.v = [np.zeros_like(w) for w in parameters]

    def step(self, gradients: Sequence[ndarray]) -> None:
        """Move every parameter once."""
        self.steps += 1
        beta_1, beta_2 = self.betas
        rate = self.rate / (1 - beta_1**self.steps)
        unbias = 1 / (1 - beta_2**self.steps)
        for w, g, m, v in zip(self.parameters, gradients, self.m, self.v, strict=True):
            m += (1 - beta_1) * (g - m)
            v += (1 - beta_2) * (g * g - v)
            w -= rate * m / (np.sqrt(unbias * v) + self.eps)


def nats_per_letter(
    run: Run, readout: Readout, numbers: Int[ndarray, " N"], rows: int = 64
) -> float:
    """The mean cross-entropy over a text, read in `rows` parts side by side.

    Each part starts without a state; what does not fill the parts is left out.
    """
    length = (len(numbers) - 1) // rows
    if length < 1:
        raise ValueError(f"{len(numbers)} letters cannot fill {rows} rows")
    inputs, targets = next(windows(numbers, rows, length))
    V, state, total = len(readout.b_y), None, 0.0
    for start in range(0, length, 100):
        here = slice(start, start + 100)
        x = one_hot(inputs[:, here], V, readout.W_y.dtype)
        h, state = run(x, state)
        total += readout_loss(readout, h, targets[:, here])[0] * x.shape[1]
    return total / length


def write(
    run: Run,
    readout: Readout,
    rng: np.random.Generator,
    start: Sequence[int] | ndarray,
    count: int,
    temperature: float | int = 1.0,
) -> list[int]:
    """Let the network write: read `start`, then draw `count` letters, one by one.

    Each letter is drawn from softmax(logits / temperature) and read as the next input.
    Below 1 the probable becomes more probable; towards 0 only the best is left.
    """
    if temperature <= 0:
        raise ValueError(f"temperature = {temperature}: it must be above 0")
    V, dtype = readout.W_y.shape[0], readout.W_y.dtype
    h, state = run(one_hot(np.array([start]), V, dtype), None)
    written = []
    for _ in range(count):
        z = readout.logits(h[0, -1]).astype(np.float64) / temperature
        y = np.exp(z - z.max())
        written.append(int(rng.choice(V, p=y / y.sum())))
        h, state = run(one_hot(np.array([written[-1:]]), V, dtype), state)
    return written
