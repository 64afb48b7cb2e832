"""Citations are read from answers and lead to passages of the store."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit import (
    Citation,
    ManyMatches,
    NotFound,
    Passage,
    Store,
    StoreError,
    find_citations,
    render_citation,
    resolve_citation,
)
from memkit.locators import Locator

FORMS = {
    "[/memories/f.md]": Citation("/memories/f.md"),
    "[/memories/a/b c.md]": Citation("/memories/a/b c.md"),
    "[/memories/f.md:L10]": Citation("/memories/f.md", (10, 10)),
    "[/memories/f.md:L10-15]": Citation("/memories/f.md", (10, 15)),
    "[/memories/f.md > # Music]": Citation("/memories/f.md", section=("Music",)),
    "[/memories/f.md > # Music > ## Jazz]": Citation("/memories/f.md", section=("Music", "Jazz")),
    "[/memories/f.md > # #hashtag > ## C#]": Citation("/memories/f.md", section=("#hashtag", "C#")),
}
VARIANTS = {
    "[/memories/f.md:L10-L15]": Citation("/memories/f.md", (10, 15)),
    "[/memories/f.md > ## Jazz]": Citation("/memories/f.md", section=("Jazz",)),
    "[/memories/f.md ]": Citation("/memories/f.md"),
}
OTHERS = [
    "/memories/f.md",
    "[f.md]",
    "[/memoriesX/f.md]",
    "[/etc/passwd]",
    "[/memories/f.md",
    "[/memories/\nf.md]",
    "[/memories/f.md > Music]",
    "[/memories/f.md > ####### Deep]",
    "[S5T3]",
]
TEXT = "# Music\n[S1T1] Ann: rock\n## Jazz\n[S1T2] Bo: bebop [S1T1]\n[S1T2] again\n# Food\nrice\n## Jazz\nnone\n"

titles = st.text(st.characters(codec="utf-8", exclude_characters="[]<>#\n\r"), min_size=1).filter(
    lambda title: title == title.strip()
)
lines = st.tuples(st.integers(1, 999), st.integers(1, 999)).map(lambda pair: (min(pair), max(pair)))
citations = st.one_of(
    st.builds(Citation, st.just("/memories/a b.md"), st.none() | lines),
    st.builds(Citation, st.just("/memories/f.md"), section=st.lists(titles, min_size=1, max_size=6).map(tuple)),
)


@pytest.mark.parametrize(("text", "citation"), FORMS.items())
def test_form(text: str, citation: Citation) -> None:
    """Each written form is one citation, both ways."""
    assert (citation,) == find_citations(text)
    assert text == render_citation(citation)


@pytest.mark.parametrize(("text", "citation"), VARIANTS.items())
def test_variant(text: str, citation: Citation) -> None:
    """What models write a little differently is understood."""
    assert (citation,) == find_citations(text)


@pytest.mark.parametrize("text", OTHERS)
def test_anything_else(text: str) -> None:
    """What does not parse is no citation."""
    assert () == find_citations(text)


@given(st.lists(citations, unique=True))
def test_round_trip(written: list[Citation]) -> None:
    """Citations in an answer are found in order, once each."""
    text = "It was so ".join(map(render_citation, [*written, *written]))

    assert tuple(written) == find_citations(text)


@given(st.text(st.sampled_from("[]/memories/:L1-2 >#x\n")))
def test_any_text(text: str) -> None:
    """No answer breaks the reader, and what it finds it could have written."""
    for citation in find_citations(f"[/memories/{text}"):
        assert (citation,) == find_citations(render_citation(citation))


@pytest.fixture
def cited(store: Store) -> Store:
    """A store with one file, f.md, and an empty one."""
    store.write("/memories/f.md", TEXT)
    store.write("/memories/empty.md", "")
    return store


RESOLVED = {
    "[/memories/f.md]": (1, 9, TEXT.rstrip("\n")),
    "[/memories/f.md:L2]": (2, 2, "[S1T1] Ann: rock"),
    "[/memories/f.md:L6-7]": (6, 7, "# Food\nrice"),
    "[/memories/f.md > # Food]": (6, 9, "# Food\nrice\n## Jazz\nnone"),
    "[/memories/f.md > # Food > ## Jazz]": (8, 9, "## Jazz\nnone"),
    "[/memories/empty.md]": (1, 0, ""),
}


@pytest.mark.parametrize(("text", "passage"), RESOLVED.items())
def test_resolve(cited: Store, text: str, passage: tuple[int, int, str]) -> None:
    """A citation gives the lines it names, a section with its subsections."""
    (citation,) = find_citations(text)

    assert Passage(citation.path, *passage) == resolve_citation(citation, cited)


UNRESOLVED = {
    "[/memories/g.md]": (NotFound, "/memories/g.md"),
    "[/memories/f.md:L10]": (NotFound, "/memories/f.md has 9 lines, not 10 to 10"),
    "[/memories/f.md:L0]": (NotFound, "/memories/f.md has 9 lines, not 0 to 0"),
    "[/memories/f.md:L5-4]": (NotFound, "/memories/f.md has 9 lines, not 5 to 4"),
    "[/memories/f.md > # Films]": (NotFound, 'no section "Films"'),
    "[/memories/f.md > # Jazz]": (ManyMatches, "in lines 3, 8"),
    "[/memories]": (StoreError, ""),
    "[/memories/../../etc/passwd]": (StoreError, ""),
}


@pytest.mark.parametrize(("text", "fault"), UNRESOLVED.items())
def test_unresolved(cited: Store, text: str, fault: tuple[type[StoreError], str]) -> None:
    """A citation of what is not there is a StoreError, for the scorer to count."""
    (citation,) = find_citations(text)

    with pytest.raises(fault[0]) as error:
        resolve_citation(citation, cited)
    assert fault[1] in str(error.value)


def test_passage_locators(cited: Store) -> None:
    """A passage knows the locators written in it, once each, in order."""
    (citation,) = find_citations("[/memories/f.md > # Music]")

    assert (Locator("S", 1, 1), Locator("S", 1, 2)) == resolve_citation(citation, cited).locators
