"""Train the models of course_lib/models/scaling_runs.tsv, those that are missing.

    nice python benchmarks/scaling.py              # all stages, 16 minutes
    nice python benchmarks/scaling.py rates seeds  # some of them

One core. The run can be stopped at any time: a row is written when its model is done.
"""

import sys

from course_lib.models import scaling_runs
from course_lib.models.scaling_runs import STAGES


def main(stages: list[str]) -> None:
    """Train what is missing, stage by stage."""
    unknown = set(stages) - set(STAGES)
    if unknown:
        raise SystemExit(f"no stage {sorted(unknown)}: there are {list(STAGES)}")
    for stage in stages or STAGES:
        for setting in STAGES[stage]:
            if setting not in [row.setting for row in scaling_runs.stored()]:
                _, row = scaling_runs.trained(setting)
                scaling_runs.add(row)
                print(stage, row, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
