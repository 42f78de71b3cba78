"""The tables of lectures 13 and 13b (course_lib/models/canary_*.tsv), measured once.

    python benchmarks/memorisation.py             # some five minutes on one core
    python benchmarks/memorisation.py --seeds 0   # one seed, printed and not stored

Ten seeds. A seed is another draw of the secrets, another key for each number of copies,
another start of the weights and another order of the lines.
"""

import argparse

import torch
from torch import Tensor, nn

from course_lib.models import canaries, canary_runs
from course_lib.models.canaries import COPIES, TinyTransformer
from course_lib.models.canary_runs import LOOKS, WINDOW, Look, Run
from course_lib.seeds import set_seed
from course_lib.train import train

SEEDS = range(10)
WIDTHS = (16, 64)  # beside 32
NOISES = (4.0, 1.0, 0.5, 0.0)
STOPS = canary_runs.STOPS  # steps after which ordinary training is stopped


def measured(kind: str, seed: int, d: int, sigma: float, model: nn.Module) -> Run:
    """What a trained model remembers of its run's secrets, and how well it predicts."""
    return Run(
        *(kind, seed, d, sigma, canaries.perplexity(model, canaries.text()[1])),
        membership=canaries.membership(model),
        exposures=canaries.exposures(model, seed),
        recited=tuple(canaries.extracted(model, seed)),
    )


def narrow_and_slow(lines: list[str], seed: int) -> TinyTransformer:
    """As `canaries.learn` at width 16, for three times as many steps."""
    torch.manual_seed(seed)
    model, ids = TinyTransformer(d=16), canaries.encode(lines)

    def loss(step: int) -> Tensor:
        some = ids[torch.randint(len(ids), (canaries.BATCH,))]
        return canaries.line_losses(model, some).mean()

    train(model.parameters(), loss, 3 * canaries.STEPS, canaries.RATE)
    return model


def with_weight_decay(lines: list[str], seed: int) -> TinyTransformer:
    """As `canaries.learn`, and every step takes a hundredth off all weights."""
    torch.manual_seed(seed)
    model, ids = TinyTransformer(), canaries.encode(lines)
    optimiser = torch.optim.AdamW(
        model.parameters(), canaries.RATE, weight_decay=0.01 / canaries.RATE
    )
    for _ in range(canaries.STEPS):
        some = ids[torch.randint(len(ids), (canaries.BATCH,))]
        optimiser.zero_grad()
        canaries.line_losses(model, some).mean().backward()
        optimiser.step()
    return model


def controls_of(seed: int) -> list[Run]:
    """Training with weight decay, and one key among repeated lines unlike it."""
    lines = canaries.plant(seed)
    decayed = with_weight_decay(lines, seed)
    among = canaries.learn(canary_runs.one_key_among_others(lines, seed), seed)
    return [
        measured("weight decay", seed, 32, 0.0, decayed),
        measured("among other lines", seed, 32, 0.0, among),
    ]


def runs_of(seed: int) -> tuple[list[Run], list[Look]]:
    """Every kind of run with this seed, and the plain one on its way."""
    lines, on_the_way, runs = canaries.plant(seed), [], []
    fewer = canaries.without_repetitions(lines, WINDOW)

    def look(step: int, model: nn.Module) -> None:
        if step in LOOKS:
            bits = canaries.exposures(model, seed)
            bits = bits[COPIES[-1]], bits[1]
            new = canaries.perplexity(model, canaries.text()[1])
            on_the_way.append(Look(seed, step, new, *bits))
        if step in STOPS:
            runs.append(measured(f"stopped at {step}", seed, 32, 0.0, model))

    plain = canaries.learn(lines, seed, watch=look)
    runs.append(measured("plain", seed, 32, 0.0, plain))
    alone = canaries.learn(canary_runs.one_key_alone(lines, seed), seed)
    runs.append(measured("alone", seed, 32, 0.0, alone))
    slow = narrow_and_slow(lines, seed)
    runs.append(measured("three times as long", seed, 16, 0.0, slow))
    runs += controls_of(seed)
    for d in WIDTHS:
        runs.append(measured("plain", seed, d, 0.0, canaries.learn(lines, seed, d)))
    model = canaries.learn(fewer, seed)
    runs.append(measured("deduplicated", seed, 32, 0.0, model))
    for sigma in NOISES:
        model = canaries.learn_privately(lines, seed, sigma)
        runs.append(measured("private", seed, 32, sigma, model))
    model = canaries.learn_privately(fewer, seed, 1.0)
    runs.append(measured("private, deduplicated", seed, 32, 1.0, model))
    return runs, on_the_way


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", nargs="+", type=int, default=list(SEEDS))
    options = parser.parse_args(words)
    set_seed(0)  # also: one thread
    runs, looks = [], []
    for seed in options.seeds:
        more, on_the_way = runs_of(seed)
        runs += more
        looks += on_the_way
        for run in more:
            bits = " ".join(f"{run.exposures[t]:4.1f}" for t in COPIES)
            print(
                f"{run.kind:22} {seed} {run.d} {run.sigma} {run.perplexity:5.1f}", bits
            )
    if set(options.seeds) == set(SEEDS):
        runs.sort(key=lambda run: (run.kind, run.d, run.sigma, run.seed))
        canary_runs.write(runs)
        canary_runs.write_looks(looks)


if __name__ == "__main__":
    main()
