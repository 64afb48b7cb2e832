"""One fact, two dates."""

from __future__ import annotations

import pytest

from memkit.lint.check import lint


def found(*lines: str) -> list[int]:
    """The lines of a file that contradict an earlier one."""
    return [one.line for one in lint({"/memories/ana.md": "\n".join(lines) + "\n"}, rules={"date-contradiction"})]


CONTRADICTIONS = {
    "with a name": ("Ana's birthday is 3 May 1990.", "Ana's birthday is May 4, 1990"),
    "sources aside": ("- Ana was born on 3 May 1990 [S1T1]", "- Ana was born on 1990-06-03 [S2T9]"),
    "in one list": ("- Born: 3 May 1990", "- Born: 3 May 1991"),
    "across headings": ("# A", "The wedding of Bo was on 3 May 2020.", "# B", "The wedding of Bo was on 5 May 2020."),
}
FINE = {
    "what happens again": ("Ana went to the dentist on 3 May 2024.", "Ana went to the dentist on 9 May 2024."),
    "entries of a log": ("- 3 May 2024: Ana is born", "- 4 May 2024: Ana is born"),
    "entries after a name": ("Ana, 3 May: happy birthday", "Ana, 4 May: happy birthday"),
    "another year's party": ("Ana's birthday on 3 May 2023 was fun.", "Ana's birthday on 4 May 2024 was fun."),
    "one says less": ("Ana was born on 3 May.", "Ana was born on 3 May 1990."),
    "of somebody each": ("# Ana", "- Born: 3 May 1990", "# Bo", "- Born: 4 June 1991"),
    "nested": ("- Ana", "  - Born: 3 May 1990", "- Bo", "  - Born: 4 June 1991"),
    "who knows which son": ("Son was born on 3 May 1990.", "Son was born on 4 May 1992."),
    "in prose of nobody": ("Born on 3 May 1990.", "", "Born on 4 May 1990."),
    "an update": ("Bo's wedding is on 3 May 2024.", "Bo's wedding is on 9 May 2024, not 3 May 2024."),
    "another number": ("Bo's house 7 was founded on 3 May 2024.", "Bo's house 8 was founded on 4 May 2024."),
}


@pytest.mark.parametrize("lines", CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_contradictions(lines: tuple[str, ...]) -> None:
    """The same words with two dates that cannot be one, of what has one date."""
    assert [len(lines)] == found(*lines)


@pytest.mark.parametrize("lines", FINE.values(), ids=FINE)
def test_no_contradictions(lines: tuple[str, ...]) -> None:
    """What may hold together is left alone."""
    assert [] == found(*lines)


def test_the_other_place_is_named() -> None:
    """The finding says both dates and where the other stands."""
    files = {"/memories/ana.md": "Ana was born on 3 May 1990.\n", "/memories/b.md": "\nAna was born on 4 May 1990.\n"}
    (finding,) = lint(files, rules={"date-contradiction"})

    assert ("/memories/b.md", 2) == (finding.path, finding.line)
    assert "this is dated 4 May 1990, and 3 May 1990 at /memories/ana.md:1" == finding.message
