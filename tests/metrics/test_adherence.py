"""The measures of the taxonomy contract, each worked out by hand on a store of one-word texts."""

from __future__ import annotations

from itertools import combinations
from math import log

import pytest
from hypothesis import given
from scipy.stats import spearmanr

from memkit.metrics import adherence
from memkit.metrics.adherence import Adherence, WorstPair, measure_adherence
from memkit.metrics.tree import build_tree
from memkit.testing.stores import stores


def unit(word: str) -> str:
    """A text long enough to count, with one term: its vector is that term's axis."""
    return f"{word} " * 10


# Two groups: three units about pears but for one plum, and two about plums.
FRUIT = {
    "/memories/x/1.md": unit("pear"),
    "/memories/x/2.md": unit("pear"),
    "/memories/x/3.md": unit("plum"),
    "/memories/y/4.md": unit("plum"),
    "/memories/y/5.md": unit("plum"),
    "/memories/y/short.md": "Too short to count.",
}


def head(name: str, description: str) -> str:
    """Frontmatter."""
    return f"---\nname: {name}\ndescription: {description}\n---\n"


def test_label_distinguishability() -> None:
    """B1 of two labels that share one of two words: 1 - b^2 / (a^2 + b^2) with the weights of three labels."""
    files = {"/memories/red.md": head("red", "apple"), "/memories/green.md": head("green", "apple")}
    own, shared = log(4 / 2) + 1, log(4 / 3) + 1
    expected = 1 - shared**2 / (own**2 + shared**2)
    found = measure_adherence(files)

    assert pytest.approx(expected) == found.distinguishability
    assert WorstPair("/memories/green.md", "/memories/red.md", pytest.approx(expected)) == found.worst


def test_the_worst_pair_of_all_nodes() -> None:
    """B1 is the mean of the nodes' means; the pair of equal titles is the worst, and is at distance 0."""
    files = {"/memories/a.md": "# Tea\n\n## Milk\n\n## Milk\n", "/memories/b.md": "# Rain\n"}
    found = measure_adherence(files)

    assert (pytest.approx(0.5), 0.0) == (found.distinguishability, found.worst and round(found.worst.distance, 9))
    assert found.worst is not None
    assert {"/memories/a.md > Tea > Milk"} == {found.worst.one, found.worst.other}


def test_cohesion() -> None:
    """B2: one of three pairs of the first group and the pair of the second agree, 2 in 4; of six others, 2 do."""
    assert pytest.approx((2 / 4) / (2 / 6)) == measure_adherence(FRUIT).cohesion


def test_leakage() -> None:
    """B3: the plum among the pears is nearer to the plums, one unit of five."""
    assert (5, pytest.approx(1 / 5)) == (measure_adherence(FRUIT).units, measure_adherence(FRUIT).leakage)


def test_distance_correlation() -> None:
    """B4: ten pairs of tree distance 2 or 4 and content distance 0 or 1, as scipy ranks them; by hand 1/6."""
    found = measure_adherence(FRUIT).distance_correlation

    assert pytest.approx(1 / 6) == found
    assert pytest.approx(spearmanr([2] * 4 + [4] * 6, [0, 1, 1, 0, 1, 1, 1, 1, 0, 0]).statistic) == found


def test_tree_distance() -> None:
    """The path leads through the lowest common ancestor: siblings are 2 apart, cousins 4, a uncle and nephew 3."""
    tree = build_tree({"/memories/a.md": "# A\n\n## B\n\n## C\n\n# D\n", "/memories/e/f.md": ""})
    above = {tree.nodes[number].name: adherence._ancestors(tree, number) for number in tree.leaves}

    assert (2, 3, 5) == (
        adherence._steps(above["B"], above["C"]),
        adherence._steps(above["B"], above["D"]),
        adherence._steps(above["B"], above["f"]),
    )


def test_label_consistency() -> None:
    """Of three files in two folders, the one named after the other folder is misplaced by its label."""
    files = {
        "/memories/music/jazz.md": head("jazz", "Evenings"),
        "/memories/plants/ferns.md": head("ferns", "plants in pots"),
        "/memories/plants/music.md": head("music", "scores"),
    }

    assert pytest.approx(2 / 3) == measure_adherence(files).label_consistency


def test_what_cannot_be_measured() -> None:
    """A store without siblings, groups or pairs has no measures."""
    nothing = Adherence(0, None, None, None, None, None, None)

    assert nothing == measure_adherence({})
    assert nothing == measure_adherence({"/memories/a.md": "short"})
    flat = measure_adherence({"/memories/a.md": unit("pear"), "/memories/b.md": unit("plum")})
    assert (2, None, None, None, None) == (
        flat.units,
        flat.cohesion,
        flat.leakage,
        flat.distance_correlation,
        flat.label_consistency,
    )
    strange = {f"/memories/{name}/{name}{n}.md": unit(name) for name in ("pear", "plum") for n in "12"}
    assert None is measure_adherence(strange).cohesion


def test_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of too many pairs or units a seeded draw is taken, each pair once and the same again."""
    assert list(combinations(range(6), 2)) == sorted((b, a) for a, b in adherence._draw_pairs(6))
    monkeypatch.setattr(adherence, "PAIRS", 7)
    monkeypatch.setattr(adherence, "UNITS", 3)
    drawn = adherence._draw_pairs(6)

    assert (7, drawn) == (len(set(drawn)), adherence._draw_pairs(6))
    assert all(0 <= other < one < 6 for one, other in drawn)
    assert measure_adherence(FRUIT) == measure_adherence(FRUIT)
    assert measure_adherence(FRUIT).leakage in (0, pytest.approx(1 / 3))


@given(stores())
def test_ranges(files: dict[str, str]) -> None:
    """Every measure stays in its range, and the worst pair is no farther apart than the mean."""
    found = measure_adherence(files)
    shares = (found.distinguishability, found.leakage, found.label_consistency)

    assert all(share is None or 0 <= share <= 1 for share in shares)
    assert found.cohesion is None or found.cohesion >= 0
    assert found.distance_correlation is None or abs(found.distance_correlation) <= 1 + 1e-9
    assert (found.worst is None) == (found.distinguishability is None)
    assert found.worst is None or found.worst.distance <= (found.distinguishability or 0) + 1e-6


@given(stores())
def test_order_means_nothing(files: dict[str, str]) -> None:
    """The same files in another order give the very same numbers."""
    assert measure_adherence(files) == measure_adherence(dict(reversed(files.items())))


@given(stores())
def test_names_are_no_content(files: dict[str, str]) -> None:
    """What folders and files are called moves nothing that is measured on contents."""
    renamed = {path.replace("/memories/", "/memories/z").replace(".md", "-z.md"): text for path, text in files.items()}
    one, other = measure_adherence(files), measure_adherence(renamed)

    for name in ("units", "cohesion", "leakage", "distance_correlation"):
        assert pytest.approx(getattr(one, name), abs=1e-6) == getattr(other, name), name
