"""The picture of the thread: exact match against the length of the input."""

from matplotlib.figure import Figure

from course_lib.running_task import LABELS, Result
from course_lib.show.plots import PALETTE, figure


def by_length(results: list[Result]) -> tuple[Figure, str]:
    """One line for each model; runs of the same model are points around their mean."""
    if not results:
        raise ValueError("no results: give at least one row of the thread's table")
    runs: dict[str, list[Result]] = {}
    for result in results:
        runs.setdefault(result.model, []).append(result)
    fig, ax = figure(8, 3.6)
    places, told = range(len(LABELS)), []
    for colour, (model, rows) in zip(PALETTE, runs.items(), strict=False):
        shares = [[100 * r.by_length[k] for r in rows] for k in places]
        mean = [sum(group) / len(group) for group in shares]
        ax.plot(places, mean, "-", color=colour, label=model)
        for place, group in zip(places, shares, strict=True):
            ax.plot([place] * len(group), group, "o", color=colour, markersize=5)
        told.append(f"{model} falls from {mean[0]:.0f} to {mean[-1]:.0f} per cent")
    ax.set(
        xlabel="English words in the input",
        ylabel="exact match (%)",
        ylim=(-3, 103),
        xticks=places,
    )
    ax.set_xticklabels(LABELS)
    ax.legend(loc="lower left")
    return fig, "Exact match against input length: " + "; ".join(told) + "."
