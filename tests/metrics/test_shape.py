"""The shape of stores, worked out by hand."""

from __future__ import annotations

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from memkit.metrics.shape import Shape, gini, measure_shape
from memkit.testing.stores import stores

FILES = {
    "/memories/plants/ferns.md": "# Ferns\n\n### Water\n\nOften: /memories/log.md\n\n## Soil\n\nsee /memories/no.md\n",
    "/memories/log.md": "see /memories/no.md\n",
}


def test_by_hand() -> None:
    """Counts, depths of the three leaves (1, 4, 4), children (2, 1, 1, 2) and sizes (19, 23, 19)."""
    assert Shape(
        files=2,
        folders=1,
        sections=3,
        bytes=sum(map(len, FILES.values())),
        references=3,
        dangling=2,
        leaves=3,
        mean_depth=3.0,
        max_depth=4,
        fanout=1.5,
        size_gini=pytest.approx(8 / (3 * 61)),
    ) == measure_shape(FILES)


def test_nothing() -> None:
    """An empty store has no means."""
    assert Shape(0, 0, 0, 0, 0, 0, 0, None, 0, None, None) == measure_shape({})


@pytest.mark.parametrize(
    ("sizes", "expected"), [([5, 5, 5], 0.0), ([0, 0, 0, 4], 0.75), ([3, 1], 0.25), ([7], 0.0), ([0], None), ([], None)]
)
def test_gini(sizes: list[int], expected: float | None) -> None:
    """Nothing is concentrated among equals, all but one n-th where one has everything."""
    assert expected == gini(sizes)


@given(st.lists(st.integers(0, 9), min_size=1), st.integers(1, 5))
def test_gini_is_a_concentration(sizes: list[int], factor: int) -> None:
    """It lies in [0, 1), and neither scale nor order moves it; it is half the mean difference over the mean."""
    found = gini(sizes)
    if found is None:
        assert 0 == sum(sizes)
        return
    differences = sum(abs(a - b) for a in sizes for b in sizes)

    assert 0 <= found < 1
    assert pytest.approx(differences / (2 * len(sizes) * sum(sizes))) == found
    assert pytest.approx(found) == gini([factor * size for size in reversed(sizes)])


@given(stores())
def test_order_is_no_shape(files: dict[str, str]) -> None:
    """The order of the files, and what folders and files are called, leave the shape as it is."""
    renamed = {
        path.replace("/memories/", "/memories/z").replace(".md", "-z.md"): files[path] for path in reversed(files)
    }

    shape = measure_shape(files)
    assert shape == measure_shape(dict(reversed(files.items())))
    # The references were not renamed.
    assert shape == evolve(measure_shape(renamed), dangling=shape.dangling)


@given(stores())
def test_bounds(files: dict[str, str]) -> None:
    """Every file counts, a leaf lies at most as deep as the deepest, and sections make no fewer leaves than files."""
    shape = measure_shape(files)

    assert len(files) == shape.files
    assert shape.dangling <= shape.references
    assert shape.leaves >= shape.files
    assert (shape.mean_depth or 0) <= shape.max_depth
