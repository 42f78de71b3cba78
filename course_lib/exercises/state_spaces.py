"""Exercises of lecture 16, state spaces."""

import numpy as np
from numpy.random import Generator

from course_lib.exercises.exercise import Exercise, Exercises
from course_lib.models.state_space import (
    LinearGaussian,
    hmm_forward,
    hmm_smoother,
    kalman_filter,
)

Pair = tuple[float, float]


def posterior_of_z(x: np.ndarray) -> Pair:
    """The prior counts like one more observation, of value 0: precisions add."""
    n = len(x)
    return x.sum() / (n + 1), 1 / (n + 1)


def observations(rng: Generator) -> tuple:
    return (rng.normal(1.0, 1.2, int(rng.integers(2, 7))).round(1),)


POSTERIOR_MISTAKES = {
    "That is the average of the data; the prior counts like one more observation, of "
    "value 0.": lambda x: (x.mean(), 1 / len(x)),
    "The mean is right. The precisions add: 1 from the prior and 1 from each "
    "observation.": lambda x: (posterior_of_z(x)[0], 1 / len(x)),
    "The variance is right, the mean forgets the prior.": (
        lambda x: (x.mean(), 1 / (len(x) + 1))
    ),
    "You return the standard deviation; the variance is asked for.": (
        lambda x: (posterior_of_z(x)[0], posterior_of_z(x)[1] ** 0.5)
    ),
    "That uses one observation only; the others count as much.": (
        lambda x: (x[-1] / 2, 0.5)
    ),
    "The average of n observations is worth n of them, not one.": (
        lambda x: (x.mean() / 2, 0.5)
    ),
    "The mean is the sum times the variance 1 / (n + 1), not the sum.": (
        lambda x: (x.sum(), 1 / (len(x) + 1))
    ),
    "You return the precision n + 1; the variance is its inverse.": (
        lambda x: (posterior_of_z(x)[0], len(x) + 1)
    ),
}


def update(m_minus: float, P_minus: float, x: float, C: float, R: float) -> Pair:
    """(1): the surprise is compared in units of x, the gain brings it back to z."""
    S = C * P_minus * C + R
    K = P_minus * C / S
    return m_minus + K * (x - C * m_minus), P_minus - K * C * P_minus


def one_look(rng: Generator) -> tuple:
    m, x = rng.normal(0, 2, 2).round(1)
    P, R = rng.uniform(0.3, 3, 2).round(1)
    C = rng.choice([-2.0, 0.5, 1.5, 3.0])
    return float(m), float(P), float(x), float(C), float(R)


def with_gain(K: float, m: float, P: float, x: float, C: float) -> Pair:
    """The correction with a gain of one's own."""
    return m + K * (x - C * m), P - K * C * P


UPDATE_MISTAKES = {
    "C is forgotten everywhere: the filter sees C z, so S = C² P + R, K = P C / S, and "
    "it expects to see C m.": lambda m, P, x, C, R: update(m, P, x, 1.0, R),
    "Only the surprise knows C: S = C² P + R and K = P C / S have it, too.": (
        lambda m, P, x, C, R: (m + P / (P + R) * (x - C * m), P - P / (P + R) * P)
    ),
    "R is the variance already, not the standard deviation: do not square it.": (
        lambda m, P, x, C, R: update(m, P, x, C, R**2)
    ),
    "R is a variance: no root is needed.": (
        lambda m, P, x, C, R: update(m, P, x, C, R**0.5)
    ),
    "P is a variance: do not square it.": (
        lambda m, P, x, C, R: with_gain(P**2 * C / (C**2 * P**2 + R), m, P, x, C)
    ),
    "R is missing in S: without it the observation is believed entirely.": (
        lambda m, P, x, C, R: update(m, P, x, C, 0.0)
    ),
    "The surprise is x - C m, not x - m: compare like with like.": (
        lambda m, P, x, C, R: (
            m + P * C / (C * C * P + R) * (x - m),
            update(m, P, x, C, R)[1],
        )
    ),
    "The gain is P C / S; the C is missing.": (
        lambda m, P, x, C, R: with_gain(P / (C * C * P + R), m, P, x, C)
    ),
    "In S the variance is multiplied by C on both sides, C P C.": (
        lambda m, P, x, C, R: with_gain(P * C / (C * P + R), m, P, x, C)
    ),
    "That is the gain in units of x, C P C / S; the state needs P C / S.": (
        lambda m, P, x, C, R: with_gain(P * C * C / (C * C * P + R), m, P, x, C)
    ),
    "That is 1 minus the gain, or the weights of prediction and observation are "
    "exchanged.": (lambda m, P, x, C, R: with_gain(R / (C * C * P + R), m, P, x, C)),
    "The mean is right; the new variance is P - K C P: a C is missing.": (
        lambda m, P, x, C, R: (
            update(m, P, x, C, R)[0],
            P - P * C / (C * C * P + R) * P,
        )
    ),
    "Seeing something cannot make you less certain: the sign of K C P.": (
        lambda m, P, x, C, R: (
            update(m, P, x, C, R)[0],
            2 * P - update(m, P, x, C, R)[1],
        )
    ),
    "The surprise has the wrong sign: seen minus expected.": (
        lambda m, P, x, C, R: (
            2 * m - update(m, P, x, C, R)[0],
            update(m, P, x, C, R)[1],
        )
    ),
    "The mean is right; the variance has not been updated.": (
        lambda m, P, x, C, R: (update(m, P, x, C, R)[0], P)
    ),
}


def filter_with_gaps(
    x: np.ndarray, A: float, Q: float, R: float, P_1: float
) -> np.ndarray:
    """Where nothing is seen, the prediction is all there is. -> (T, 2)"""
    m_minus, P_minus = 0.0, P_1
    history = []
    for x_t in x:
        m, P = m_minus, P_minus
        if not np.isnan(x_t):
            K = P_minus / (P_minus + R)
            m, P = m_minus + K * (x_t - m_minus), (1 - K) * P_minus
        history.append((m, P))
        m_minus, P_minus = A * m, A * P * A + Q
    return np.array(history)


def with_gaps(rng: Generator) -> tuple:
    x = rng.normal(0, 1.5, 6).round(1)
    x[rng.choice(np.arange(1, 5), 2, replace=False)] = np.nan
    A, Q, R = rng.choice([0.5, 0.8]), rng.choice([0.5, 1.0]), rng.choice([0.5, 2.0])
    return x, float(A), float(Q), float(R), 2.0


def frozen_in_gaps(x, A, Q, R, P_1):
    """A gap passes as if no time went by."""
    m, P, history = 0.0, P_1, []
    for t, x_t in enumerate(x):
        if not np.isnan(x_t):
            m, P = (A * m, A * P * A + Q) if t else (m, P)
            K = P / (P + R)
            m, P = m + K * (x_t - m), (1 - K) * P
        history.append((m, P))
    return np.array(history)


def predicted_first(x, A, Q, R, P_1):
    """A move before the first look."""
    return filter_with_gaps(x, A, Q, R, A * P_1 * A + Q)


def filled_in(x, A, Q, R, P_1):
    """A gap is taken for an observation of what was predicted."""
    filled = x.copy()
    for t in np.flatnonzero(np.isnan(x)):
        filled[t] = A * filter_with_gaps(filled[:t], A, Q, R, P_1)[-1, 0]
    return filter_with_gaps(filled, A, Q, R, P_1)


def one_sided(x, A, Q, R, P_1):
    """The variance is multiplied by A once."""
    m_minus, P_minus, history = 0.0, P_1, []
    for x_t in x:
        K = 0.0 if np.isnan(x_t) else P_minus / (P_minus + R)
        m = m_minus + K * (x_t - m_minus) if K else m_minus
        history.append((m, (1 - K) * P_minus))
        m_minus, P_minus = A * m, A * history[-1][1] + Q
    return np.array(history)


def before_the_look(x, A, Q, R, P_1):
    """What was predicted for each step."""
    m, P = filter_with_gaps(x, A, Q, R, P_1)[:-1].T
    return np.stack([np.append(0.0, A * m), np.append(P_1, A * P * A + Q)], axis=1)


def blown_on_twice(x, A, Q, R, P_1):
    """In a gap Q is added once more."""
    m_minus, P_minus, history = 0.0, P_1, []
    for x_t in x:
        gap = np.isnan(x_t)
        K = 0.0 if gap else P_minus / (P_minus + R)
        m = m_minus if gap else m_minus + K * (x_t - m_minus)
        history.append((m, (1 - K) * P_minus + gap * Q))
        m_minus, P_minus = A * m, A * history[-1][1] * A + Q
    return np.array(history)


def sure_in_gaps(x, A, Q, R, P_1):
    """The mean of a gap is kept, its variance shrinks as if it had been seen."""
    made = filter_with_gaps(x, A, Q, R, P_1)
    shrunk = filter_with_gaps(np.nan_to_num(x), A, Q, R, P_1)
    return np.stack([made[:, 0], shrunk[:, 1]], axis=1)


GAP_MISTAKES = {
    "A gap is not an observation of 0: skip the correction there.": (
        lambda x, A, Q, R, P_1: filter_with_gaps(np.nan_to_num(x), A, Q, R, P_1)
    ),
    "Time goes on in a gap: predict at every step, also where nothing is seen.": (
        frozen_in_gaps
    ),
    "P_1 is the variance before the first look: the first step has no prediction.": (
        predicted_first
    ),
    "A gap teaches nothing: there the variance stays the predicted one.": sure_in_gaps,
    "The prediction has added Q already; in a gap nothing more is added.": (
        blown_on_twice
    ),
    "A gap is no observation of what was predicted either: it would make you surer. "
    "Skip the correction there.": filled_in,
    "The variance goes through the dynamics on both sides: A P A + Q.": one_sided,
    "Row t holds what is believed after the look, m_t and P_t, not the prediction.": (
        before_the_look
    ),
}


def one_step_forward(
    belief: np.ndarray, A: np.ndarray, B: np.ndarray, symbol: int
) -> np.ndarray:
    """Move, weigh, divide."""
    weighed = (belief @ A) * B[:, symbol]
    return weighed / weighed.sum()


def belief_and_symbol(rng: Generator) -> tuple:
    S, V = 3, 3  # as many symbols as states, so that exchanged axes fit
    rows = lambda count, width: rng.dirichlet(np.ones(width), count).round(2)  # noqa: E731
    belief = rng.dirichlet(np.ones(S)).round(2)
    return belief, rows(S, S) + 0.01, rows(S, V) + 0.01, int(rng.integers(V))


def normalised(weights: np.ndarray) -> np.ndarray:
    return weights / weights.sum()


FORWARD_MISTAKES = {
    "Not normalised yet: divide by the sum, which is p(x_t | x_<t).": (
        lambda b, A, B, s: (b @ A) * B[:, s]
    ),
    "A_ij goes from i to j, so the belief stands on the left: belief @ A.": (
        lambda b, A, B, s: normalised((A @ b) * B[:, s])
    ),
    "The state has not moved: predict with A first.": (
        lambda b, A, B, s: normalised(b * B[:, s])
    ),
    "You updated first and moved after; here the move comes first.": (
        lambda b, A, B, s: normalised((b * B[:, s]) @ A)
    ),
    "That is the prediction; what was seen has not been used.": lambda b, A, B, s: (
        b @ A
    ),
    "The symbol chooses a column of B, one entry for each state: B[:, symbol].": (
        lambda b, A, B, s: normalised((b @ A) * B[s])
    ),
    "A softmax is not the division: the weights are probabilities already.": (
        lambda b, A, B, s: normalised(np.exp((b @ A) * B[:, s]))
    ),
    "Move first, then weigh: the symbol was said by the state after the move.": (
        lambda b, A, B, s: normalised(b * B[:, s]) @ A
    ),
}


def viterbi(pi: np.ndarray, A: np.ndarray, B: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The forward algorithm with a maximum for the sum, then back along the choices."""
    score, came_from = np.log(pi) + np.log(B[:, x[0]]), []
    for symbol in x[1:]:
        ways = score[:, None] + np.log(A)  # (from, to)
        came_from.append(ways.argmax(axis=0))
        score = ways.max(axis=0) + np.log(B[:, symbol])
    path = [int(score.argmax())]
    for choice in reversed(came_from):
        path.append(int(choice[path[-1]]))
    return np.array(path[::-1])


def small_hmm(rng: Generator) -> tuple:
    """Instances on which the common shortcuts give another path."""
    while True:
        rows = lambda count, width: rng.dirichlet(np.ones(width), count)  # noqa: E731
        A, B = rows(3, 3) + 0.02, rows(3, 2) + 0.02
        A, B = A / A.sum(axis=1, keepdims=True), B / B.sum(axis=1, keepdims=True)
        pi, x = rng.dirichlet(np.ones(3)), rng.integers(0, 2, 6)
        pi, A, B = pi.round(2) + 0.01, A.round(2) + 0.01, B.round(2)
        best = viterbi(pi, A, B, x)
        shortcuts = (
            each_most_likely,
            greedy,
            each_filtered,
            without_dynamics,
            without_start,
            best_ends,
        )
        if all((f(pi, A, B, x) != best).any() for f in shortcuts):
            return pi, A, B, x


def each_filtered(pi, A, B, x):
    return hmm_forward(pi, A, B, x)[0].argmax(axis=1)


def each_most_likely(pi, A, B, x):
    beliefs, _ = hmm_forward(pi, A, B, x)
    return hmm_smoother(A, beliefs).argmax(axis=1)


def without_dynamics(pi, A, B, x):
    return B[:, x].argmax(axis=0)


def greedy(pi, A, B, x):
    path = [int((pi * B[:, x[0]]).argmax())]
    for symbol in x[1:]:
        path.append(int((A[path[-1]] * B[:, symbol]).argmax()))
    return np.array(path)


def without_start(pi, A, B, x):
    return viterbi(np.ones_like(pi), A, B, x)


def best_ends(pi, A, B, x):
    """Where the best path of every prefix ends."""
    return np.array([viterbi(pi, A, B, x[: t + 1])[-1] for t in range(len(x))])


VITERBI_MISTAKES = {
    "Those are the states that are most likely one by one; together they need not be "
    "the most likely path.": each_most_likely,
    "Those are the largest filtered beliefs; a later symbol may change the path.": (
        each_filtered
    ),
    "That goes on from the best state so far; the best path may come from another.": (
        greedy
    ),
    "That looks at B alone; the path has to be likely, too.": without_dynamics,
    "The first state has its own probabilities: add log pi at the first step.": (
        without_start
    ),
    "Those are the ends of the best paths so far; start at the last one and walk back "
    "along the stored winners.": best_ends,
    "The path is right, but the wrong way round.": (
        lambda pi, A, B, x: viterbi(pi, A, B, x)[::-1]
    ),
    "A_ij goes from i to j: the maximum is over the rows i.": (
        lambda pi, A, B, x: viterbi(pi, A.T, B, x)
    ),
}


def swing(turn: float = 0.35, gusts: float = 0.15) -> LinearGaussian:
    """The swing of the lecture, with other dynamics if wanted."""
    cos, sin = np.cos(turn), np.sin(turn)
    return LinearGaussian(
        A=0.98 * np.array([[cos, sin], [-sin, cos]]),
        B=gusts * np.eye(2),
        C=np.array([[1.0, 0.0]]),
        D=np.array([[0.5]]),
        m_1=np.zeros(2),
        P_1=np.eye(2),
    )


def too_sure(believed=(0.015, 0.05, 0.15, 0.5, 1.5), count: int = 500) -> dict:
    """The data are always the same; only the filter's B = gusts I is changed.

    Four numbers each: the error of the position, the error that the filter itself
    expects, the share of true positions within its two standard deviations, and the
    mean log-likelihood a step.

    Found with 500 swings of 40 steps (the truth is 0.15):
    gusts   error  expected  within  log p
    0.015   0.41   0.19      55 %    -1.11
    0.05    0.36   0.22      72 %    -1.03
    0.15    0.30   0.30      96 %    -0.95
    0.5     0.37   0.41      97 %    -1.10
    1.5     0.46   0.48      96 %    -1.62
    A filter that trusts its dynamics too much is wrong and does not know it; one that
    trusts them too little follows the blur, and says so. Of these five, the truth has
    the highest likelihood, which needs no true positions: that is how one finds out.
    """
    z, x = swing().sample(count, 40, np.random.default_rng(0))
    found = {}
    for gusts in believed:
        made = kalman_filter(swing(gusts=gusts), x)
        off, P = made.m[:, :, 0] - z[:, :, 0], made.P[:, 0, 0]
        within = (np.abs(off) < 2 * np.sqrt(P)).mean()
        sizes = np.sqrt((off**2).mean()), np.sqrt(P.mean())
        found[gusts] = (*sizes, within, made.log_p.mean())
    return found


EXERCISES = Exercises(
    "state_spaces",
    Exercise(1, "*", posterior_of_z, observations, POSTERIOR_MISTAKES),
    Exercise(2, "*", update, one_look, UPDATE_MISTAKES),
    Exercise(3, "**", filter_with_gaps, with_gaps, GAP_MISTAKES),
    Exercise(4, "***", too_sure, helpers=(swing,)),
    Exercise(5, "*", one_step_forward, belief_and_symbol, FORWARD_MISTAKES),
    Exercise(6, "**", viterbi, small_hmm, VITERBI_MISTAKES),
)
check, solution = EXERCISES.check, EXERCISES.solution
