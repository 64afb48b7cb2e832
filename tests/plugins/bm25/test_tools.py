from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memkit.memory import Memory
from memkit.records import Message
from memkit_plugins.bm25.passages import RankedFile
from memkit_plugins.bm25.tools import NO_TERMS, RELEVANT, allot

Search = Callable[..., Message]
NOTE = "---\nname: trip\ndescription: The trip\n---\n\nWe flew to Lisbon.\nIt rained.\nLisbon again.\n"


def test_files_come_with_their_best_lines(memory: Memory, search: Search) -> None:
    """Each file is headed by path and description, its lines are numbered like view's and in their order."""
    memory.store.create("/memories/trip.md", NOTE)
    memory.store.create("/memories/other.md", "nothing\n" * 12 + "A card from Lisbon.\n" + "nothing\n" * 12)

    expected = (
        "/memories/trip.md — The trip\n     6\tWe flew to Lisbon.\n     7\tIt rained.\n     8\tLisbon again.\n\n"
        "/memories/other.md\n    13\tA card from Lisbon."
    )
    assert search(query="Lisbon", max_lines=4) == Message("tool", expected, tool_call_id="c1")


def test_the_limits_hold_and_are_said(memory: Memory, search: Search) -> None:
    """No more files and lines than asked for, and a notice of the files left out."""
    for name in "abc":
        memory.store.create(f"/memories/{name}.md", "Lisbon\n" * 3)

    expected = (
        "/memories/a.md\n     1\tLisbon\n     2\tLisbon\n\n"
        "[2 more files match: use rarer words, narrow path, or raise max_results or max_lines]"
    )
    assert search(query="Lisbon", max_results=1, max_lines=2).content == expected
    assert search(query="Lisbon", max_results=2).content.endswith(
        "[1 more file matches: use rarer words, narrow path, or raise max_results or max_lines]"
    )


def test_a_line_the_description_has_is_not_repeated(memory: Memory, search: Search) -> None:
    """The date line of a session stands in its description already."""
    memory.store.create(
        "/memories/s.md", "---\ndescription: 'Session 4, 2023-05-04: Ann'\n---\nSession 4, 2023-05-04\n\nAnn: hi\n"
    )

    assert search(query="session 4").content == "/memories/s.md — Session 4, 2023-05-04: Ann\n     6\tAnn: hi"


def test_a_match_in_the_frontmatter_alone_still_finds_the_file(memory: Memory, search: Search) -> None:
    """The heading of such a file is shown without lines."""
    memory.store.create("/memories/a.md", "---\nname: a\ndescription: Lisbon\n---\n\nempty\n")

    assert search(query="Lisbon").content == "/memories/a.md — Lisbon"


def test_a_giant_line_is_cut_about_its_match(memory: Memory, search: Search) -> None:
    """A line far over the cap shows the part that matched."""
    memory.store.create("/memories/a.md", "x " * 50_000 + "Lisbon" + " x" * 50_000 + "\n")
    content = search(query="Lisbon").content

    assert len(content) < 2500
    assert "Lisbon" in content


@pytest.mark.parametrize("query", ["", "  ", "*", "_", "|", "?!", '"', "\n"])
def test_a_query_without_words_says_so(memory: Memory, search: Search, query: str) -> None:
    """It is never answered with just any files."""
    memory.store.create("/memories/a.md", NOTE)

    assert search(query=query).content == NO_TERMS


def test_no_match_says_what_was_searched_for(memory: Memory, search: Search) -> None:
    """The sentence names the terms, so that the model can change them."""
    memory.store.create("/memories/a.md", NOTE)

    expected = "No file at /memories has any of the words searched for: oslo, winter. Try other words."
    assert search(query="the Oslo winter").content == expected


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("hello tantivy你好", "hello tantivy你好"),
        ("我們的權威事實在這裡", "權威事實"),
        ("會議在3月舉行", "3月"),
        ("会議は3月です", "月"),
        ("Frau Müller kam", "müller"),
        ("Привет, Мир!", "мир"),
        ("مرحبا بالعالم", "العالم بالعالم"),
        ("שלום עולם", "עולם"),
        ("party 🎉 time", "🎉"),
        ("open C:\\repo\\main.py now", "C:\\repo\\main.py"),
        ("in my-group today", "my-group"),
        ("Dave's boat", "dave"),
        ("AND the rest", 'AND OR NOT "('),
        ("a drawer", "-drawer"),
    ],
)
def test_any_script_and_any_writing_is_found(memory: Memory, search: Search, text: str, query: str) -> None:
    """What is written is found by asking for it, whatever the script, and punctuation is no operator."""
    memory.store.create("/memories/other.md", "nothing of the kind\n" * 3)
    memory.store.create("/memories/a.md", f"{text}\n")

    assert search(query=query).content == f"/memories/a.md\n     1\t{text}"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(st.characters(exclude_categories=())) | st.text("*-_|\"'()[]{}^~:\\/+&!? aANDOR"))
def test_no_query_fails(memory: Memory, search: Search, query: str) -> None:
    """Any text is answered; only half a surrogate pair is refused, before the tool sees it."""
    memory.store.write("/memories/a.md", NOTE)
    surrogate = any(0xD800 <= ord(character) < 0xE000 for character in query)

    assert search(query=query).is_error is surrogate


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"max_results": 0}, "max_results must be from 1 to 40, not 0."),
        ({"max_lines": 201}, "max_lines must be from 1 to 200, not 201."),
        ({"path": "/memories/b"}, "/memories/b does not exist; give a folder or file of the store."),
    ],
)
def test_wrong_arguments_are_explained(search: Search, arguments: dict[str, object], error: str) -> None:
    """The model is told what is wrong and what would be right."""
    assert search(query="x", **arguments) == Message("tool", error, tool_call_id="c1", is_error=True)


def test_a_path_outside_the_store_is_refused(search: Search) -> None:
    """The store's own rules for paths hold."""
    assert search(query="x", path="/etc").is_error
    assert search(query="x", path="/memories/../etc").is_error


SCORES = st.lists(
    st.dictionaries(st.integers(1, 30), st.sampled_from([1.0, 2.0, 3.0]), max_size=8).map(
        lambda lines: RankedFile("p", (), 0.0, tuple(sorted(lines.items(), key=lambda line: (-line[1], line[0]))))
    ),
    max_size=6,
)


@given(SCORES, st.integers(1, 20))
def test_the_best_lines_of_all_files_win(files: list[RankedFile], most: int) -> None:
    """The best lines of all files are shown, each once, and none that is irrelevant beside the very best."""
    chosen = allot(files, most)
    shown = [dict(file.lines)[line] for file, lines in zip(files, chosen, strict=True) for line in lines]
    every = sorted((score for file in files for _, score in file.lines), reverse=True)
    relevant = [score for score in every if score >= RELEVANT * every[0]]

    assert sorted(shown, reverse=True) == relevant[:most]
    assert all(lines == sorted(set(lines)) for lines in chosen)


def test_chunks_come_in_full(memory: Memory, retrieve: Callable[[str], str]) -> None:
    """The three best chunks, each headed by its file, without frontmatter."""
    for number in range(1, 5):
        text = "Lisbon " * (5 - number) + "and\n\nmore text\n"
        memory.store.create(f"/memories/session_01_chunk_0{number}.md", f"---\nname: c\n---\n\n{text}")

    expected = "\n\n".join(
        f"----- result {number} (/memories/session_01_chunk_0{number}.md) -----\n"
        + "Lisbon " * (5 - number)
        + "and\n\nmore text"
        for number in range(1, 4)
    )
    assert retrieve("Lisbon") == expected


def test_chunk_retrieval_without_result(memory: Memory, retrieve: Callable[[str], str]) -> None:
    """Nothing to search for, and nothing found, are told apart."""
    memory.store.create("/memories/c.md", "Lisbon\n")

    assert retrieve("...") == NO_TERMS
    assert retrieve("Oslo") == "No chunk has any of the words searched for: oslo. Try other words."
