"""Facts: how they are read, what is worth keeping, and where they are filed."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit import Store, parse_frontmatter, render_unit
from memkit.testing.samples import CHAT, RUN
from memkit.testing.strategies import sessions, texts
from memkit_plugins.extractive.filing import (
    Fact,
    condense,
    file_facts,
    is_salient,
    locators,
    one_line,
    person_path,
    read_facts,
    rows_of,
    slug,
    topics_in,
)

DAY = date(2024, 4, 9)


def test_a_session_is_read() -> None:
    """Locator, speaker, words and the day of the session."""
    assert [
        Fact("[S2T1]", "Bo", "Last Saturday I adopted a dog called 小梅 🐕", DAY),
        Fact("[S2T2]", "Ana", "Congratulations! What breed?", DAY),
        Fact("[S2T3]", "Bo", "A greyhound, nine years old.", DAY),
    ] == read_facts(rows_of(render_unit(CHAT.sessions[1])))


def test_a_step_is_read() -> None:
    """A step has no speaker, and its observation is joined to its action."""
    (fact,) = read_facts(rows_of(render_unit(RUN.steps[2])))

    assert Fact("[step 2]", "", "go to bin 1 The bin is empty. It is closed.") == fact


@pytest.mark.parametrize(
    ("row", "fact"),
    [
        ("[B4M7] Ana: Hi", Fact("[B4M7]", "Ana", "Hi")),
        ("[M12] no speaker here", Fact("[M12]", "", "no speaker here")),
        ("[step 3] say: hello", Fact("[step 3]", "", "say: hello")),
    ],
)
def test_other_forms(row: str, fact: Fact) -> None:
    """Every form of locator begins a fact; a step is spoken by nobody."""
    assert [fact] == read_facts([row])


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("I went yesterday.", "- 9 April 2024: Ana: I went 8 April 2024. [S1T1]"),
        ("We met last Friday, two weeks ago.", "- 9 April 2024: Ana: We met 5 April 2024, 26 March 2024. [S1T1]"),
        ("I'll look on Friday.", "- 9 April 2024: Ana: I'll look on Friday. [S1T1]"),
        ("Lately I paint.", "- 9 April 2024: Ana: Lately I paint. [S1T1]"),
    ],
)
def test_lines_are_dated(said: str, line: str) -> None:
    """What is exact relative to the day becomes a date; what may be past or to come, or is vague, stays."""
    assert line == Fact("[S1T1]", "Ana", said, DAY).line


def test_an_undated_line_has_no_date() -> None:
    """Nothing is made up for a session without a date."""
    assert "- Ana: I went yesterday. [S1T1]" == Fact("[S1T1]", "Ana", "I went yesterday.").line


@pytest.mark.parametrize(
    ("sentence", "salient"),
    [
        ("The kiln in Halle cost 640 euros.", True),
        ("Thanks, that's so kind!", False),
        ("What breed?", False),
        ("Did you pay 640 euros in Halle?", True),
        ("", False),
    ],
)
def test_salience(sentence: str, salient: bool) -> None:  # noqa: FBT001
    """Sentences with details or much to say are worth keeping; pleasantries and bare questions are not."""
    assert salient == is_salient(sentence)


def test_condensing_keeps_the_salient_sentences() -> None:
    """What has none is left out whole."""
    said = "Oh no! The kiln in Halle cost 640 euros. What now?"
    facts = [Fact("[S1T1]", "Ana", said), Fact("[S1T2]", "Bo", "Wow, great!")]

    assert [Fact("[S1T1]", "Ana", "The kiln in Halle cost 640 euros.")] == condense(facts)


def test_facts_go_to_topics_and_people() -> None:
    """A subject that turns share, or that the store knows, has a file; the rest goes to the speaker's."""
    facts = [
        Fact("[S1T1]", "Ana", "The kiln broke."),
        Fact("[S1T2]", "Bo", "A kiln is dear."),
        Fact("[S1T3]", "Ana", "We drove to Halle."),
        Fact("[S1T4]", "Bo", "I stayed home."),
    ]
    filed = {filing.path: filing.lines for filing in file_facts(facts, ["halle"])}

    assert {
        "/memories/people/bo.md": ["- Bo: I stayed home. [S1T4]"],
        "/memories/topics/halle.md": ["- Ana: We drove to Halle. [S1T3]"],
        "/memories/topics/kiln.md": ["- Ana: The kiln broke. [S1T1]", "- Bo: A kiln is dear. [S1T2]"],
    } == filed


@given(sessions())
def test_every_fact_is_filed_once(session: object) -> None:
    """Whatever is said: each turn has one line in one file, whose name and head are valid."""
    facts = read_facts(rows_of(render_unit(session)))  # type: ignore[arg-type]
    filings = file_facts(facts, [])

    assert sorted(fact.line for fact in facts) == sorted(line for filing in filings for line in filing.lines)
    for filing in filings:
        front = parse_frontmatter(filing.text)
        assert front is not None
        assert filing.path.endswith(f"/{front.name}.md")
        assert front.description
        assert filing.block == "".join(f"{line}\n" for line in filing.lines)


@given(texts())
def test_any_name_makes_a_file(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    """A speaker of any name has a path that the store takes, the same for every case of it."""
    store = Store.make(tmp_path_factory.mktemp("m") / "memories")
    store.create(person_path(name), "x")

    assert [person_path(name)] == store.paths()
    assert person_path(name) == person_path(slug(name))


@pytest.mark.parametrize("name", ["CON", "aux", "Com1", "...", "", "é\u0301", "x" * 300])
def test_names_that_files_may_not_have(store: Store, name: str) -> None:
    """Names of devices, dots, nothing, and what is too long are made fit."""
    store.create(person_path(name), "x")

    assert store.exists(person_path(name))


@given(st.lists(st.text(max_size=20)))
def test_lines_are_one_line(parts: list[str]) -> None:
    """No kind of line break survives."""
    assert len(one_line("\n".join(parts)).splitlines()) <= 1


def test_small_readers() -> None:
    """Topics by their files, and locators by their brackets."""
    assert ["kiln"] == topics_in(["/memories/topics/kiln.md", "/memories/people/ana.md"])
    assert {"[S1T1]", "[step 2]"} == locators(["a [S1T1] b [step 2]", "[S1T1] [x]"])
