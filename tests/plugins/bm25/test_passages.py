from __future__ import annotations

from memkit.memory import Memory
from memkit_plugins.bm25 import passages as module
from memkit_plugins.bm25.passages import Passages, Ranking


def rank(passages: Passages, question: str, within: str = "/memories") -> list[tuple[str, list[int]]]:
    """(path, lines by rank) of each file."""
    ranking = passages.rank(passages.terms(question), within)
    return [(file.path, [line for line, _ in file.lines]) for file in ranking.files]


def test_a_line_ranks_by_those_around_it(memory: Memory, passages: Passages) -> None:
    """Of two lines with the asked word, the one whose neighbours have the other asked word comes first."""
    memory.store.create("/memories/a.md", "the boat left\nunrelated\n" + "filler words\n" * 12)
    memory.store.create("/memories/b.md", "the boat left\nfor Lisbon\n" + "filler words\n" * 12)

    (first, lines), (second, _) = rank(passages, "boat Lisbon")

    assert (first, second) == ("/memories/b.md", "/memories/a.md")
    assert set(lines[:2]) == {1, 2}


def test_windows_stop_at_the_end_of_a_file(memory: Memory, passages: Passages) -> None:
    """A match raises no line of the file that comes next."""
    memory.store.create("/memories/a.md", "one\ntwo\nLisbon\n")
    memory.store.create("/memories/b.md", "three\nfour\n")

    assert [path for path, _ in rank(passages, "Lisbon")] == ["/memories/a.md"]


def test_frontmatter_and_headings_rank_files_but_are_not_served(memory: Memory, passages: Passages) -> None:
    """A match in the description or a title finds the file, and no line of these is among its lines."""
    memory.store.create("/memories/a.md", "---\nname: a\ndescription: Lisbon trip\n---\nnothing here\n")
    memory.store.create("/memories/b.md", "---\nname: b\n---\n# Lisbon\nnothing here\n")

    assert sorted(rank(passages, "Lisbon")) == [("/memories/a.md", []), ("/memories/b.md", [5])]


def test_ties_go_to_the_first_path_and_line(memory: Memory, passages: Passages) -> None:
    """Equal scores keep the order of paths and of lines."""
    for name in "cab":
        memory.store.create(f"/memories/{name}.md", "Lisbon\n" * 11 + "x\n" * 11)
    result = rank(passages, "Lisbon")

    assert [path for path, _ in result] == ["/memories/a.md", "/memories/b.md", "/memories/c.md"]
    assert result == rank(passages, "Lisbon")
    assert result[0][1] == result[1][1] == result[2][1]


def test_a_search_below_a_folder_or_in_a_file(memory: Memory, passages: Passages) -> None:
    """Only files at or below the path are found; one that begins with the same letters is not."""
    for path in ("/memories/a/x.md", "/memories/a/b/y.md", "/memories/ab.md"):
        memory.store.create(path, "Lisbon\n")

    assert [path for path, _ in rank(passages, "Lisbon", "/memories/a")] == ["/memories/a/b/y.md", "/memories/a/x.md"]
    assert [path for path, _ in rank(passages, "Lisbon", "/memories/ab.md")] == ["/memories/ab.md"]
    assert rank(passages, "Lisbon", "/memories/none") == []


def test_nothing_asked_and_nothing_found(memory: Memory, passages: Passages) -> None:
    """An empty question and an unknown word give an empty ranking."""
    memory.store.create("/memories/a.md", "Lisbon\n")

    assert passages.rank(()) == Ranking((), complete=True)
    assert passages.rank(passages.terms("Oslo")) == Ranking((), complete=True)


def test_a_ranking_says_when_there_may_be_more(memory: Memory, passages: Passages) -> None:
    """More files than are looked at make the ranking incomplete."""
    for number in range(module.CANDIDATE_FILES + 1):
        memory.store.create(f"/memories/{number:02d}.md", "Lisbon\n")
    ranking = passages.rank(("lisbon",))

    assert (len(ranking.files), ranking.complete) == (module.CANDIDATE_FILES, False)


def test_remembered_files_stay_within_bounds(memory: Memory, passages: Passages) -> None:
    """Each file is held once, in its latest form, and its size counted once."""
    for text in ("Lisbon\n", "Lisbon and Porto\n", "Lisbon again\n"):
        memory.store.write("/memories/a.md", text)
        passages.rank(("lisbon",))

    assert (list(passages._held), passages._held_bytes) == (["/memories/a.md"], len("Lisbon again\n"))
