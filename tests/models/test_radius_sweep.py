"""The sweep over radii of lecture 03: paired starts, and what its text says of them."""

import torch

from course_lib.models.radius_sweep import NETWORKS, RADII, gaussian_start, stored


def test_every_radius_scales_the_same_matrices():
    def start(radius: float) -> torch.Tensor:
        return gaussian_start(radius, 3, torch.Generator().manual_seed(0), d_h=7)

    radii = torch.linalg.eigvals(start(1.5)).abs().amax(1)
    torch.testing.assert_close(radii, torch.full((3,), 1.5))
    torch.testing.assert_close(start(3.0), 2 * start(1.5))


def test_every_radius_is_stored_once_with_all_its_networks():
    rows = stored()
    assert tuple(row.radius for row in rows) == RADII
    assert all(len(row.accuracies) == NETWORKS for row in rows)


def test_what_the_lecture_says_of_the_radii_is_what_is_stored():
    solved = {row.radius: sum(a > 0.9 for a in row.accuracies) for row in stored()}
    assert min(solved[radius] for radius in (1.0, 1.5, 2.0)) > NETWORKS / 2
    assert 5 <= solved[0.7] <= 8
    assert 5 <= solved[3.0] <= 8
    assert solved[0.5] == solved[4.0] == solved[8.0] == 0
