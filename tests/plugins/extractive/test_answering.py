"""The embedded model's answer: its first sentence, its citations, and when it gives none."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit import (
    ROOT,
    Answer,
    Case,
    Citation,
    Harness,
    Layout,
    Memory,
    Question,
    Registry,
    Searcher,
    compose,
    exact_option,
    find_citations,
    render_frontmatter,
    render_options,
    render_unit,
    resolve_citation,
)
from memkit import Message as Said
from memkit.metrics.text import chosen_option, first_sentence
from memkit.testing.samples import CHAT, QUESTIONS, RUN, sample_memory, session
from memkit.testing.strategies import texts
from memkit_plugins.extractive.answering import compose_answer
from memkit_plugins.extractive.reading import read_exchange

ARMS = [("verbatim", "center"), ("verbatim", "center+bm25"), ("chunk-bm25", "chunks")]
PRICE, WHEN, BREED, PHONE = QUESTIONS


def search(registry: Registry, memory: Memory, harness: str, question: Question) -> Answer:
    """The answer of the searcher `agent` with the embedded model."""
    made: Harness = registry.make("harness", harness)
    model = registry.make("model", "memkit/extractive")
    searcher: Searcher = registry.make("searcher", "agent", model=model, harness=made)
    return asyncio.run(searcher.answer(memory, question))


def write(memory: Memory, name: str, body: str) -> None:
    """Put a file into the store."""
    memory.store.write(f"{ROOT}/{name}.md", render_frontmatter(name.rpartition("/")[2], "Notes.") + "\n" + body)


@pytest.fixture
def empty(tmp_path: Path) -> Memory:
    """A flat memory with nothing in it."""
    return Memory.create(tmp_path / "empty", builder="tests", plugin="tests 0", layout="flat")


@pytest.mark.parametrize(("builder", "harness"), ARMS)
def test_every_demo_question(
    registry: Registry, memories: dict[str, Memory], demo: Case, builder: str, harness: str
) -> None:
    """Each gets the same answer twice: an option, a cited statement, or that there is none; most evidence is served."""
    memory, served, wanted = memories[builder], 0, 0
    for question in demo.questions:
        answer = search(registry, memory, harness, question)
        again = search(registry, memory, harness, question)

        assert (answer.text, answer.citations, answer.messages) == (again.text, again.citations, again.messages)
        assert "answered" == answer.end
        for citation in answer.citations:
            assert resolve_citation(citation, memory.store).text.strip()
        if question.options:
            assert chosen_option(question.options, answer.text) in question.options
            assert answer.text.startswith("(")
        elif not first_sentence(answer.text).startswith("No information available"):
            opening = answer.text.partition("\n")[0]
            assert answer.citations[:1] == find_citations(opening)
            assert opening.endswith("].")
        served += len(set(question.evidence) & set(answer.effort.served))
        wanted += len(set(question.evidence))

    assert 0.6 < served / wanted


def test_a_place_at_each_depth(registry: Registry, tmp_path: Path) -> None:
    """The same fact is cited as a line, a section and a file, by what the tools showed."""
    cited: dict[Layout, tuple[Citation, ...]] = {}
    arms: tuple[tuple[Layout, str], ...] = (("flat", "center"), ("tree", "center"), ("chunks", "chunks"))
    for layout, harness in arms:
        memory = sample_memory(tmp_path / layout, layout)
        answer = search(registry, memory, harness, Question("q", "Who paid half of the kite?"))
        assert "paid half" in first_sentence(answer.text)
        cited[layout] = answer.citations[:1]

    assert (Citation(f"{ROOT}/session_01.md", (10, 10)),) == cited["flat"]
    assert (Citation(f"{ROOT}/people/ana.md", section=("Ana", "Family")),) == cited["tree"]
    assert (Citation(f"{ROOT}/session_01_chunk_01.md"),) == cited["chunks"]


@pytest.mark.parametrize("harness", ["center", "center+bm25"])
def test_adjacent_lines(registry: Registry, empty: Memory, harness: str) -> None:
    """A reply that leans on the question before it is cited with it, as a range."""
    write(
        empty,
        "session_01",
        render_unit(
            session(
                1,
                ("Bo", "Nice weather."),
                ("Bo", "How many lanterns did you carry to the harbour festival?"),
                ("Ana", "Seventeen lanterns!"),
                ("Bo", "Lovely."),
            )
        ),
    )
    answer = search(registry, empty, harness, Question("q", "How many lanterns did Ana carry to the harbour festival?"))

    assert "Seventeen lanterns!" == first_sentence(answer.text)
    assert Citation(f"{ROOT}/session_01.md", (9, 10)) == answer.citations[0]


def test_long_and_odd_sections(registry: Registry, tmp_path: Path) -> None:
    """A long section, one whose title cannot be cited, and one of a name given twice are cited by lines."""
    memory = Memory.create(tmp_path / "m", builder="tests", plugin="tests 0", layout="tree")
    write(memory, "a/long", "# Notes\n\n" + "- filler\n" * 40 + "- the walrus is called Gudrun\n")
    write(memory, "a/odd", "# Notes [old]\n\n- the badger is called Holger\n")
    write(memory, "a/twice", "# Pets\n\n- the heron is called Agathe\n\n# Pets\n\n- none\n")

    for animal, path, line in (("walrus", "a/long", 48), ("badger", "a/odd", 8), ("heron", "a/twice", 8)):
        answer = search(registry, memory, "center", Question("q", f"What is the {animal} called?"))
        assert Citation(f"{ROOT}/{path}.md", (line, line)) == answer.citations[0]


def test_when(registry: Registry, tmp_path: Path) -> None:
    """A question about time gets a date, and then the words it was worked out from."""
    memory = sample_memory(tmp_path / "memory", "flat")
    answer = search(registry, memory, "center", WHEN)

    assert "6 April 2024." == first_sentence(answer.text)
    assert "Last Saturday I adopted a dog" in answer.text
    asked = Question("q", "What date did Bo adopt a dog?")
    assert "6 April 2024." == first_sentence(search(registry, memory, "center", asked).text)


def test_absence(registry: Registry, tmp_path: Path) -> None:
    """What nothing supports is said to be absent, with the words that were searched, and cites nothing."""
    memory = sample_memory(tmp_path / "memory", "flat")
    answer = search(registry, memory, "center", Question("q", "Which submarines did Captain Nemo's cousins inherit?"))

    assert (
        "No information available: the store does not mention this."
        " I searched for: submarines, captain, nemo, cousins, inherit."
    ) == answer.text
    assert () == answer.citations


@pytest.mark.parametrize("harness", ["center", "center+bm25"])
def test_an_empty_store(registry: Registry, empty: Memory, harness: str) -> None:
    """Over nothing at all: absence for an open question, a guess for multiple choice."""
    assert search(registry, empty, harness, PRICE).text.startswith("No information available")
    guess = search(registry, empty, harness, BREED)
    assert "(a) A beagle. Nothing in the store bears on the options, so this is a guess." == guess.text


@pytest.mark.parametrize(("layout", "harness"), [("flat", "center"), ("flat", "center+bm25"), ("chunks", "chunks")])
def test_multiple_choice(registry: Registry, tmp_path: Path, layout: Layout, harness: str) -> None:
    """The option that the store supports is chosen by letter and text, with a citation."""
    memory = sample_memory(tmp_path / "memory", layout)
    answer = search(registry, memory, harness, BREED)

    assert answer.text.startswith("(b) A greyhound [/memories/session_02")
    assert 1.0 == exact_option(BREED, answer.text)


@given(texts(), st.lists(texts(max_size=30).filter(str.strip), min_size=2, max_size=6, unique=True))
def test_always_one_option(text: str, options: Sequence[str]) -> None:
    """Whatever the question and the options: exactly one is named first, as `(b) text`."""
    user = compose("roles/ask", question=text, options=render_options(options)).text
    exchange = read_exchange([Said("user", user)])
    answer = compose_answer(exchange)

    if len(exchange.options) > 1:  # a hostile option may end the list early
        choices = [f"({chr(ord('a') + n)}) {option.rstrip('.')}" for n, option in enumerate(exchange.options)]
        assert any(answer.startswith(choice) for choice in choices)


def test_citations_in_the_store_are_not_ours(registry: Registry, empty: Memory) -> None:
    """A citation that someone said, of a file that is not there, does not become one of the answer."""
    said = session(1, ("Ana", "The zeppelin is described in [/memories/none.md:L3] and [/memories/gone.md]."))
    write(empty, "session_01", render_unit(said))
    answer = search(registry, empty, "center", Question("q", "Where is the zeppelin described?"))

    assert "zeppelin" in answer.text
    assert {f"{ROOT}/session_01.md"} == {citation.path for citation in answer.citations}


def test_file_names_with_spaces(registry: Registry, empty: Memory) -> None:
    """A line is cited with the name of its own file, whatever that is."""
    write(empty, "a notes — 2", "- the zeppelin is moored in Friedrichshafen\n")
    write(empty, "b", "- the balloon is in Augsburg\n")
    for harness in ("center", "center+bm25"):
        answer = search(registry, empty, harness, Question("q", "Where is the zeppelin moored?"))

        assert Citation(f"{ROOT}/a notes — 2.md", (6, 6)) == answer.citations[0]


@pytest.mark.parametrize(("builder", "harness"), ARMS)
def test_trajectories(registry: Registry, tmp_path: Path, builder: str, harness: str) -> None:
    """Steps are read and cited like turns."""
    made = registry.make("builder", builder)
    memory = Memory.create(tmp_path / "run", builder=builder, plugin="tests 0", layout=made.layout)
    for unit in RUN.units:
        asyncio.run(made.ingest(memory, unit))
    answer = search(registry, memory, harness, Question("q", "What is seen with soap 1 and the towel?"))

    assert "You see soap 1 and a towel" in answer.text
    assert answer.citations


def test_in_context() -> None:
    """Given the conversation itself there is no file to cite: the turn's locator stands in its place."""
    context = "".join(map(render_unit, CHAT.units))
    user = compose("roles/ask-in-context", context=context, question="Who paid half of the kite?", options="").text
    answer = compose_answer(read_exchange([Said("user", user)]))

    assert answer.startswith("My sister Inês paid half [S1T3].")
