"""Copies, and what is no copy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.lint.check import lint
from memkit.lint.duplicates import NEAR, SHINGLE_WORDS, _candidates, _jaccard, _shingles

FACT = "Ana fires the kiln with Bo for 12 hours every week since 3 May 2024, and she never leaves it alone at night."
SYLLABLES = ("ba", "de", "di", "fo", "gu", "ka", "le", "mi", "no", "pu")
LONG = f"{FACT} {' '.join(a + b for a in SYLLABLES for b in SYLLABLES)}. Then Ana goes home."


def found(one: str, other: str, titles: tuple[str, str] = ("Kiln", "Kiln")) -> list[str]:
    """The rules that find a duplicate in two files with a section each."""
    files = {
        f"/memories/{name}.md": f"# {title}\n\n{text}\n"
        for name, title, text in zip("xy", titles, (one, other), strict=True)
    }
    return [finding.rule for finding in lint(files) if finding.rule.startswith("duplicate")]


def test_the_same_words() -> None:
    """Marks, case and locators make no difference; the earliest place is named."""
    files = {"/memories/b.md": f"# Kiln\n\n- {FACT} [S1T2]\n", "/memories/a.md": f"# Kiln\n\n{FACT.upper()}\n"}

    assert ["duplicate-exact"] == found(FACT, f"- {FACT} [S1T2]")
    finding = next(one for one in lint({**files, "/memories/a.md": f"# Kiln\n\n{FACT}\n"}) if "duplicate" in one.rule)
    assert ("/memories/b.md", 1) == (finding.path, finding.line)
    assert "/memories/b.md > Kiln says the same as /memories/a.md > Kiln, line 1" == finding.message


UPDATES = {
    "a number": ("12 hours", "13 hours"),
    "a date": ("3 May", "4 May"),
    "a year": ("2024", "2023"),
    "a name": ("Bo", "Cleo"),
    "a negation": ("never", "now"),
}


@pytest.mark.parametrize(("old", "new"), UPDATES.values(), ids=UPDATES)
def test_updates_are_no_duplicates(old: str, new: str) -> None:
    """One changed number, date, name or negation in a long section makes it another."""
    assert [] == found(LONG, LONG.replace(old, new, 1))


def test_spelled_out() -> None:
    """`five years` and `six years` differ as 5 and 6 do."""
    said = "Ana has lived in the old house by the river for five years now, " * 5

    assert [] == found(said, said.replace("five", "six", 1))


def test_nearly_the_same() -> None:
    """One other word of a hundred leaves a near-duplicate; one here and there does not."""
    assert ["duplicate-near"] == found(LONG, LONG.replace("goes home.", "goes away."))
    assert ["duplicate-near"] == found(LONG, LONG.replace("gumi", "mean"))
    assert [] == found(LONG, LONG.replace("gumi", "mean").replace("badi", "mean").replace("puba", "mean"))


def test_another_subject() -> None:
    """Under other titles the same words may be about others, unless they cite the same sources."""
    said = "likes to swim in the lake and to walk in the woods, and sings"

    assert [] == found(said, said, ("Ana", "Bo"))
    assert ["duplicate-exact"] == found(f"{said} [S1T2]", f"{said} [S1T2]", ("Ana", "Bo"))
    assert [] == found("see /memories/x.md and /memories/y.md and /memories/x.md [S1T2]", "see /memories/x.md [S1T2]")


def test_files_without_headings() -> None:
    """Two whole files of the same text are duplicates, whatever they are called."""
    files = {"/memories/a.md": FACT, "/memories/b.md": FACT}

    assert ["duplicate-exact"] == [one.rule for one in lint(files) if one.rule.startswith("duplicate")]


@given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=40), max_size=8))
def test_no_near_pair_is_missed(texts: list[list[int]]) -> None:
    """The filter lets every pair through that reaches the index, and the index is right where it does."""
    sets = [_shingles(text) for text in texts]
    pairs = {}
    for later, rarest, candidates in _candidates(sets):
        pairs |= {(earlier, later): _jaccard(rarest, sets[earlier]) for earlier in candidates}
    expected = {(a, b): len(sets[a] & sets[b]) / len(sets[a] | sets[b]) for b in range(len(sets)) for a in range(b)}

    assert {pair: index for pair, index in expected.items() if index >= NEAR} == {
        pair: index for pair, index in pairs.items() if index >= NEAR
    }
    assert all(len(each) <= max(1, len(text) - SHINGLE_WORDS + 1) for each, text in zip(sets, texts, strict=True))
