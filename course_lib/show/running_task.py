"""Pictures of the thread: exact match by length, and on both tests side by side."""

from itertools import product

from matplotlib.figure import Figure

from course_lib.running_task import LABELS, LONGER_LABELS, Result
from course_lib.show.plots import BLUE, GREY, INK, ORANGE, PALETTE, figure

LOOKS = tuple(product(("-", "--"), PALETTE))  # how the lines of up to 14 models look


def runs_by_model(results: list[Result]) -> dict[str, list[Result]]:
    """Runs of one model together, in the order in which the models come."""
    if not results:
        raise ValueError("no results: give at least one row of the thread's table")
    runs: dict[str, list[Result]] = {}
    for result in results:
        runs.setdefault(result.model, []).append(result)
    if len(runs) > len(LOOKS):
        raise ValueError(f"{len(runs)} models: at most {len(LOOKS)} can be told apart")
    return runs


def by_length(results: list[Result]) -> tuple[Figure, str]:
    """One line for each model; runs of the same model are points around their mean.

    The shaded part on the right is longer than any sentence of the training.
    """
    fig, ax = figure(10, 3.8)
    seen, labels = len(LABELS), (*LABELS, *LONGER_LABELS)
    places, told = range(len(labels)), []
    ax.axvspan(seen - 0.5, len(labels) - 0.5, color=GREY, alpha=0.18, linewidth=0)
    ax.text(seen + 0.5, 104, "longer than trained", ha="center", color=INK)
    models = runs_by_model(results)
    for (line, colour), (model, rows) in zip(LOOKS, models.items(), strict=False):
        shares = [(*r.by_length, *r.longer_by_length) for r in rows]
        groups = [
            [100 * share for share in group] for group in zip(*shares, strict=True)
        ]
        mean = [sum(group) / len(group) for group in groups]
        ax.plot(places, mean, line, color=colour, label=model)
        for place, group in zip(places, groups, strict=True):
            ax.plot([place] * len(group), group, "o", color=colour, markersize=5)
        told.append(
            f"{model} goes from {mean[0]:.0f} to {mean[seen - 1]:.0f} per cent at the "
            f"longest seen length and {mean[-1]:.0f} beyond"
        )
    ax.set(xlabel="English tokens in the input", ylabel="exact match (%)")
    ax.set(ylim=(-3, 103), xlim=(-0.3, len(labels) - 0.5), xticks=places)
    ax.set_xticklabels(labels)
    ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
    return fig, "Exact match against input length: " + "; ".join(told) + "."


def two_tests(results: list[Result]) -> tuple[Figure, str]:
    """For each model a line from its share on longer inputs to that on seen lengths.

    Every run is a point.
    """
    models, told = runs_by_model(results), []
    fig, ax = figure(8.5, 0.9 + 0.42 * len(models))
    for place, (model, rows) in enumerate(models.items()):
        seen, longer = (
            [100 * getattr(row, test) for row in rows] for test in ("exact", "longer")
        )
        ends = (sum(longer) / len(rows), sum(seen) / len(rows))
        ax.plot(ends, (place, place), color=GREY, linewidth=4, alpha=0.5, zorder=1)
        at, names = [place] * len(rows), (None, None)
        if place == 0:
            names = ("seen lengths", "longer than trained")
        ax.plot(seen, at, "o", color=BLUE, label=names[0])
        ax.plot(longer, at, "D", color=ORANGE, label=names[1])
        told.append(f"{model} {ends[1]:.0f} and {ends[0]:.0f}")
    ax.set_yticks(range(len(models)), list(models))
    ax.invert_yaxis()
    ax.set(xlabel="exact match (%)", ylabel="model", xlim=(-3, 103))
    ax.legend(loc="lower center", bbox_to_anchor=(0.4, 1.0), ncols=2)
    alt = "Exact match in per cent on seen lengths and on longer inputs: "
    return fig, alt + "; ".join(told) + "."
