"""How files are grouped."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from memkit_plugins.extractive.folding import group

WORDS = {term: term for term in "abcdefgh"}
COUNTS = st.dictionaries(
    st.integers(1, 12).map(lambda n: f"/memories/session_{n:02d}.md"),
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 9)).map(Counter),
)


def test_files_that_share_a_word_share_a_folder() -> None:
    """The word gives the folder its name, with a second one that half of its files share."""
    counts = {
        "1": Counter(kiln=5, glaze=2),
        "2": Counter(kiln=4, glaze=1),
        "3": Counter(dog=6, walk=1),
        "4": Counter(dog=2),
        "5": Counter(rain=1, walk=2),
    }
    words = {"kiln": "kiln", "glaze": "glazes", "dog": "dogs", "walk": "walks", "rain": "rain"}

    assert {"1": "kiln-glazes", "2": "kiln-glazes", "3": "dogs", "4": "dogs", "5": "dogs"} == group(counts, words)


def test_a_file_like_no_other_stays() -> None:
    """There is no folder for what shares nothing."""
    assert {"1": "kiln", "2": "kiln"} == group(
        {"1": Counter(kiln=5), "2": Counter(kiln=4), "3": Counter(dog=6)}, {"kiln": "kiln"}
    )


@given(COUNTS)
def test_grouping_is_sound(counts: dict[str, Counter[str]]) -> None:
    """Each file has one folder at most, no folder holds one file alone, and the order of files means nothing."""
    folders = group(counts, WORDS)

    assert folders.keys() <= counts.keys()
    assert all(n > 1 for n in Counter(folders.values()).values())
    assert folders == group(dict(reversed(counts.items())), WORDS)
