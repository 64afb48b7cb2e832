"""Siblings that cannot be told apart."""

from __future__ import annotations

import pytest

from memkit.lint.check import lint


def found(files: dict[str, str]) -> list[tuple[str, int]]:
    """The path and line of each confusable sibling."""
    return [(one.path, one.line) for one in lint(files, rules={"sibling-confusable"})]


@pytest.mark.parametrize(
    ("one", "other", "confusable"),
    [
        ("Paintings", "the painting", True),
        ("Trip plans", "Trip-Plan", True),
        ("Kiln", "Kiln", True),
        ("Paint", "Painting", False),
        ("8 May 2023", "9 May 2023", False),
        ("2023-05-08", "2023-08-05", False),
        ("C", "C++", False),
        ("From A to B", "From B to A", False),
        ("🙂", "🙃", False),
        ("!", "?", False),
    ],
)
def test_titles(one: str, other: str, *, confusable: bool) -> None:
    """Case, articles, plurals and punctuation tell nothing apart; numbers, signs, order and other words do."""
    assert ([("/memories/a.md", 3)] if confusable else []) == found({"/memories/a.md": f"# {one}\n\n# {other}\n"})


def test_not_siblings() -> None:
    """The same title under other parents is no fault."""
    assert [] == found({"/memories/a.md": "# A\n\n## Kiln\n\n# B\n\n## Kiln\n"})


def test_descriptions_tell_apart() -> None:
    """Files of like names are told apart by descriptions, when both have one and they differ."""
    head = "---\nname: x\ndescription: {}\n---\n"
    plural = {"/memories/trip.md": head.format("Past trips"), "/memories/trips.md": head.format("Plans")}

    assert [] == found(plural)
    assert [("/memories/trips.md", 1)] == found({**plural, "/memories/trips.md": head.format("The past trip")})
    assert [("/memories/trips.md", 1)] == found({**plural, "/memories/trips.md": ""})
