"""Lectures 04 and 04b: the LSTM and its derivatives, printed and corrected."""

# ruff: noqa: E731  (a short lambda reads like the formula it stands for)
import itertools

import torch
from torch import nn

from course_lib.errata.evidence import decide, fresh, jacobian, numbers

D_X, D_H, T = 3, 5, 6
Moment = dict[str, torch.Tensor]


def weights() -> Moment:
    """W_x, W_h and b for the blocks f, i, o and the candidate g."""
    p = {}
    for seed, k in enumerate("fiog"):
        p[f"x{k}"], p[f"h{k}"] = (
            numbers(10 + seed, D_H, D_X),
            numbers(20 + seed, D_H, D_H),
        )
        p[f"b{k}"] = numbers(30 + seed, D_H)
    return p


def step(p: Moment, x: torch.Tensor, h: torch.Tensor, c: torch.Tensor) -> Moment:
    """One step: gates, candidate g, c_t = f c + i g, h_t = o tanh(c_t)."""
    a = {k: p[f"x{k}"] @ x + p[f"h{k}"] @ h + p[f"b{k}"] for k in "fiog"}
    s = {k: a[k].sigmoid() for k in "fio"} | {"g": a["g"].tanh()}
    s["c"] = s["f"] * c + s["i"] * s["g"]
    s["h"] = s["o"] * s["c"].tanh()
    return s


def moments(count: int = T) -> list[Moment]:
    """What the cell holds after each of `count` steps from a zero state."""
    p, x = weights(), numbers(40, count, D_X)
    s = {"h": torch.zeros(D_H).double(), "c": torch.zeros(D_H).double()}
    run = []
    for x_t in x:
        s = step(p, x_t, s["h"], s["c"])
        run.append(s)
    return run


def through_h(p: Moment, s: Moment, c_before: torch.Tensor) -> torch.Tensor:
    r"""$M_t = \partial c_t / \partial h_{t-1}$: by way of f, of i and of the candidate.

    diag(c_{t-1} f (1-f)) W_hf + diag(g i (1-i)) W_hi + diag(i (1-g^2)) W_hg
    """
    by_f = (c_before * s["f"] * (1 - s["f"]))[:, None] * p["hf"]
    by_i = (s["g"] * s["i"] * (1 - s["i"]))[:, None] * p["hi"]
    return by_f + by_i + (s["i"] * (1 - s["g"] ** 2))[:, None] * p["hg"]


def opening(s: Moment) -> torch.Tensor:
    r"""$\partial h / \partial c = o \odot (1 - \tanh^2 c)$, a vector."""
    return s["o"] * (1 - s["c"].tanh() ** 2)


def one_step() -> tuple[Moment, Moment, torch.Tensor, torch.Tensor]:
    """Step 3 after step 2, its M_3, and autograd's total dc_3/dc_2."""
    p, x = weights(), numbers(40, T, D_X)
    before, now = moments()[1:3]
    total = lambda c: step(p, x[2], before["o"] * c.tanh(), c)["c"]
    M = through_h(p, now, before["c"])
    return before, now, M, jacobian(total, before["c"])


def the_cell_state_is_not_bounded_by_one() -> str:
    """E12: |h_t| < 1, but c_t adds up: only |c_t| < t holds."""
    lstm = fresh(lambda: nn.LSTM(1, 1, batch_first=True))
    for name, value in lstm.named_parameters():
        nn.init.constant_(value, 7.0 if name == "bias_ih_l0" else 0.0)
    h, (_, c) = lstm(torch.zeros(1, 50, 1).double())
    beyond = [c.item() > 1, c.item() > 50, h.abs().max().item() > 1]
    what = "c beyond 1, c beyond t, h beyond 1"
    settled = decide(what, beyond, [False] * 3, [True, False, False], bound=0)
    return f"{settled}; c_50 = {c.item():.2f}"


def the_hidden_state_is_o_times_tanh_c() -> str:
    """E13: the derivative of h_{t-1} by c_{t-1} is o (1 - tanh^2 c), not o."""
    before, now, M, total = one_step()
    holds = torch.diag(now["f"]) + M * opening(before)
    printed = torch.diag(now["f"]) + M * before["o"]
    return decide("dc_t/dc_{t-1} against autograd", total, printed, holds)


def a_vector_cannot_be_added_to_a_matrix() -> str:
    """E14: dc_t/dc_{t-1} = diag(f_t) + M_t diag(v); f as a diagonal, v on the right."""
    before, now, M, total = one_step()
    v = opening(before)
    holds = torch.diag(now["f"]) + M * v
    literal = now["f"][:, None] + v[:, None] * M
    side = torch.diag(now["f"]) + v[:, None] * M
    added = decide("f added to a matrix", total, literal, holds)
    return f"{added} | {decide('v on the left', total, side, holds)}"


def the_inner_jacobian_belongs_to_step_t() -> str:
    """E15: it is dc_t/dh_{t-1}; c_{t-1} comes before h_{t-1}, independent of it."""
    p, x = weights(), numbers(40, T, D_X)
    before, now, M, _ = one_step()
    truth = jacobian(lambda h: step(p, x[2], h, before["c"])["c"], before["h"])
    printed = jacobian(lambda h: before["c"], before["h"])  # no h in it: zeros
    return decide("dc_t/dh_{t-1} against autograd", truth, printed, M)


def tanh_scales_before_the_jacobian_acts() -> str:
    """E16: what o_{t-1} moves enters as M [tanh(c) * do], not tanh(c) * (M do)."""
    p, x = weights(), numbers(40, T, D_X)
    before, _, M, _ = one_step()
    move, tanh_c = numbers(50, D_H), before["c"].tanh()
    by_o = lambda o: step(p, x[2], o * tanh_c, before["c"])["c"]
    truth = jacobian(by_o, before["o"]) @ move
    printed, holds = tanh_c * (M @ move), M @ (tanh_c * move)
    return decide("what o_{t-1} does to c_t", truth, printed, holds)


def occurs(wanted: set, tau: int = 1, t: int = 6) -> bool:
    """Is there a product in (F_t + G_{t-1}) ... (F_{tau+1} + G_tau) with all wanted?

    F_{l+1} and G_l stand in one bracket, so a product takes one of them, never both.
    """
    brackets = [(("F", place + 1), ("G", place)) for place in range(tau, t)]
    return any(wanted <= set(product) for product in itertools.product(*brackets))


def string(symbol: str, low: int, high: int) -> set:
    return {(symbol, place) for place in range(low, high + 1)}


def the_exploding_string_ends_at_i_minus_one() -> str:
    """E17: F_{i+1} occurs with G_tau ... G_{i-1}; with G_i as well it never does."""
    i = 3
    found = [occurs({("F", i + 1)} | string("G", 1, end)) for end in (i, i - 1)]
    what = "does it occur, up to i, up to i - 1?"
    return decide(what, found, [True, False], [False, True], bound=0)


def the_vanishing_string_begins_at_tau_plus_two() -> str:
    """E18: G_tau occurs with F_{tau+2} ... F_t, never with F_{tau+1} as well."""
    tau, t = 1, 6
    found = [
        occurs({("G", tau)} | string("F", first, t)) for first in (tau + 1, tau + 2)
    ]
    what = "does it occur, from tau + 1, from tau + 2?"
    return decide(what, found, [True, False], [False, True], bound=0)


def carried(start: int, through_hidden: bool) -> torch.Tensor:
    """Autograd's dc_T/dc_start, with or without the paths through h."""
    p, x, run = weights(), numbers(40, T, D_X), moments()

    def last(c: torch.Tensor) -> torch.Tensor:
        h = run[start - 1]["o"] * c.tanh()
        for x_t in x[start:]:
            s = step(p, x_t, h if through_hidden else h.detach(), c)
            h, c = s["h"], s["c"]
        return c

    return jacobian(last, run[start - 1]["c"])


def growth_in_a_steep_cell(steps: int = 25) -> float:
    """|d(h, c)_25 / d(h, c)_0| of one LSTM of two units with large weights.

    One such cell is enough; it was picked out of 120 random ones, of which most forget.
    """
    W, state = 6 * numbers(73, 8, 2), numbers(573, 4)
    J = torch.eye(4).double()
    for _ in range(steps):
        J = jacobian(lambda s: steep_step(W, s), state) @ J
        state = steep_step(W, state)
    return torch.linalg.matrix_norm(J, 2).item()


def steep_step(W: torch.Tensor, state: torch.Tensor) -> torch.Tensor:
    """An LSTM of two units without input: (h, c) -> (h, c), W (8, 2)."""
    h, c = state.chunk(2)
    f, i, o, g = (W @ h).chunk(4)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return torch.cat([o.sigmoid() * c.tanh(), c])


def the_product_of_forget_gates_is_one_path_of_many() -> str:
    """E19: it starts at t_0 + 1, is the direct path only, and explosion is possible."""
    gates, start = [s["f"] for s in moments()], 2
    direct = carried(start, through_hidden=False)
    product = lambda part: torch.diag(torch.stack(part).prod(0))
    printed, holds = product(gates[start - 1 :]), product(gates[start:])
    index = decide("direct path against autograd", direct, printed, holds)
    total = carried(start, through_hidden=True)
    off = (total - direct).abs().max()
    assert off > 0.01
    assert growth_in_a_steep_cell() > 1e5
    return f"{index} | total minus direct path {off:.2f}; a steep cell grows over 1e5"


def the_hidden_state_reacts_through_the_cell_too() -> str:
    """E20: dh_t/dh_{t-1} has a term through the output gate and one through c_t."""
    p, x = weights(), numbers(40, T, D_X)
    before, now, M, _ = one_step()
    truth = jacobian(lambda h: step(p, x[2], h, before["c"])["h"], before["h"])
    slope = now["c"].tanh() * now["o"] * (1 - now["o"])
    gate_only = slope[:, None] * p["ho"]
    holds = gate_only + opening(now)[:, None] * M
    return decide("dh_t/dh_{t-1} against autograd", truth, gate_only, holds)


def three_of_the_four_paths_carry_a_matrix() -> str:
    """E43: the direct path from c to c has no matrix; those through f, i, g have."""
    before, now, M, total = one_step()
    direct = torch.diag(now["f"])
    holds = direct + M * opening(before)
    return decide("dc_t/dc_{t-1} against autograd", total, direct, holds)


def the_candidate_is_made_and_h_comes_from_c() -> str:
    """E75: g is no input, h_t is computed from c_t, c_t from f, i and g."""
    p, x = weights(), numbers(40, T, D_X)
    h = numbers(51, D_H).requires_grad_()
    s = step(p, x[0], h, numbers(52, D_H))
    used = lambda u, v: (
        torch.autograd.grad(u.sum(), v, retain_graph=True, allow_unused=True)[0]
        is not None
    )
    found = [used(s["c"], s["h"]), used(s["h"], s["c"]), used(s["c"], s["g"])]
    what = "c from h, h from c, c from the candidate"
    order = decide(what, found, [True, False, False], [False, True, True], bound=0)
    assert not used(s["c"], s["o"])
    width = decide("width of the candidate", len(s["g"]), D_X, D_H, bound=0)
    return f"{order} | {width}"
