from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.memory import Memory
from memkit.store.files import Store
from memkit.store.lock import Lock
from memkit_plugins.bm25.harness import index_of
from memkit_plugins.bm25.index import TEMPORARY, Index, Options
from memkit_plugins.bm25.passages import Passages

PATHS = [f"/memories/{name}.md" for name in "abcde"]


def found(passages: Passages, question: str) -> list[str]:
    """The paths that answer a question, best first."""
    return [file.path for file in passages.rank(passages.terms(question)).files]


def index_files(memory: Memory) -> list[Path]:
    """Every file of the memory's indexes."""
    return sorted(path for path in memory.index_dir.rglob("*") if path.is_file())


def test_every_change_is_seen_by_the_next_search(memory: Memory, passages: Passages) -> None:
    """Made by this store, another one, or behind both: created, edited, renamed and deleted files count at once."""
    store = memory.store
    store.create("/memories/a.md", "apples\n")
    assert found(passages, "apple") == ["/memories/a.md"]

    Memory.open(memory.path).store.str_replace("/memories/a.md", "apples", "pears")
    assert (found(passages, "apple"), found(passages, "pear")) == ([], ["/memories/a.md"])

    with (memory.path / "memories" / "a.md").open("a") as file:
        file.write("cherries\n")
    assert found(passages, "cherry") == ["/memories/a.md"]

    store.rename("/memories/a.md", "/memories/b.md")
    assert found(passages, "cherry") == ["/memories/b.md"]

    store.delete("/memories/b.md")
    assert found(passages, "cherry") == []


def test_two_processes_worth_of_indexes_follow_each_other(memory: Memory) -> None:
    """An index that another object brought up to date is used as it is, and used rightly."""
    memory.store.create("/memories/a.md", "apples\n")
    one, two = Passages(index_of(memory, Options())), Passages(index_of(Memory.open(memory.path), Options()))
    assert (found(one, "apples"), found(two, "apples")) == (["/memories/a.md"], ["/memories/a.md"])

    memory.store.write("/memories/b.md", "apples too\n")
    memory.store.write("/memories/a.md", "plums\n")
    before = found(one, "apples"), [path.stat().st_mtime_ns for path in index_files(memory)]
    after = found(two, "apples"), [path.stat().st_mtime_ns for path in index_files(memory)]

    assert before == after
    assert before[0] == ["/memories/b.md"]


def test_a_damaged_index_is_built_anew(memory: Memory) -> None:
    """Whichever file of the index is lost, emptied, cut short or overwritten, the search gives the same result."""
    for number, path in enumerate(PATHS):
        memory.store.create(path, "common words\n" * 30 + f"special{number}\n")
    expected = found(Passages(index_of(memory, Options())), "common special3")
    assert len(expected) == len(PATHS)

    def lose(path: Path) -> None:
        path.unlink()

    def rewritten(data: Callable[[bytes], bytes]) -> Callable[[Path], None]:
        def rewrite(path: Path) -> None:
            old = path.read_bytes()
            path.unlink()  # A new file, because one that is cut short while it is mapped ends the process.
            path.write_bytes(data(old))

        return rewrite

    empty = rewritten(lambda _: b"")
    cut = rewritten(lambda old: old[: len(old) // 2])
    overwrite = rewritten(lambda old: b"\xff" * len(old))

    names = [path.name for path in index_files(memory)]
    for harm in (lose, empty, cut, overwrite):
        for at in range(len(names)):
            files = index_files(memory)
            if at < len(files):
                harm(files[at])
            assert found(Passages(index_of(memory, Options())), "common special3") == expected


def test_an_index_lost_under_a_search_is_built_anew(memory: Memory, passages: Passages) -> None:
    """Deleting the whole index between two searches changes no result."""
    memory.store.create("/memories/a.md", "apples\n")
    assert found(passages, "apples") == ["/memories/a.md"]
    shutil.rmtree(memory.index_dir)

    assert found(passages, "apples") == ["/memories/a.md"]
    assert index_files(memory) != []


def test_a_commit_without_its_state_is_noticed(memory: Memory) -> None:
    """After a crash between the commit and its state, the index is not trusted."""
    memory.store.create("/memories/a.md", "apples\n")
    index_of(memory, Options()).refresh()
    (state,) = memory.index_dir.rglob("state.json")
    old = state.read_bytes()
    memory.store.create("/memories/b.md", "apples and plums\n")
    index_of(memory, Options()).refresh()
    memory.store.delete("/memories/b.md")
    state.write_bytes(old)

    assert found(Passages(index_of(memory, Options())), "apples plums") == ["/memories/a.md"]


def test_what_a_crashed_build_left_is_removed(memory: Memory) -> None:
    """Half-built directories do not pile up."""
    left = memory.index_dir / "bm25" / f"{TEMPORARY}old"
    left.mkdir(parents=True)
    index_of(memory, Options()).refresh()

    assert [path.name for path in (memory.index_dir / "bm25").iterdir()] == [Options().digest]


def test_a_place_that_cannot_be_written_does_not_stop_a_search(memory: Memory, passages: Passages) -> None:
    """Where the index cannot lie on disk it lies in memory, and follows the store there too."""
    memory.index_dir.write_text("a file where the directory should be")
    memory.store.create("/memories/a.md", "apples\n")
    assert found(passages, "apples") == ["/memories/a.md"]
    memory.store.create("/memories/b.md", "apples, apples\n")
    assert sorted(found(passages, "apples")) == ["/memories/a.md", "/memories/b.md"]
    memory.store.delete("/memories/a.md")

    assert found(passages, "apples") == ["/memories/b.md"]


def test_a_lock_held_by_another_does_not_stop_a_search(memory: Memory) -> None:
    """When the lock cannot be had in time, the search still sees the store as it is now."""
    memory.store.create("/memories/a.md", "apples\n")
    index = Index(memory.store, memory.index_dir, Lock(memory.path / ".lock", timeout=0.01), Options())
    with Lock(memory.path / ".lock"):
        assert found(Passages(index), "apples") == ["/memories/a.md"]

    assert index_files(memory) == []


def test_options_do_not_share_an_index(memory: Memory) -> None:
    """Each choice of unit and stemming has its own directory."""
    memory.store.create("/memories/a.md", "running\n")
    stemmed, plain = (Passages(index_of(memory, Options(stemming=stemming))) for stemming in (True, False))

    assert (found(stemmed, "run"), found(plain, "run")) == (["/memories/a.md"], [])
    assert len(list((memory.index_dir / "bm25").iterdir())) == 2


def test_a_frozen_store_is_searched(memory: Memory) -> None:
    """A memory opened for readers only is indexed and searched like any other."""
    memory.store.create("/memories/a.md", "apples\n")
    passages = Passages(index_of(memory.frozen(), Options()))

    assert [found(passages, "apples") for _ in range(2)] == [["/memories/a.md"]] * 2


@pytest.mark.parametrize("data", [b"", b"\xff\xfe apples", b"\n\n--\n"])
def test_files_without_words_are_no_obstacle(memory: Memory, passages: Passages, data: bytes) -> None:
    """A file that holds nothing to find is indexed as such, once."""
    (memory.path / "memories" / "odd.md").write_bytes(data)
    memory.store.create("/memories/a.md", "apples\n")

    assert found(passages, "apples") == ["/memories/a.md"]


TEXTS = st.lists(
    st.lists(st.sampled_from(["apple", "banana", "cherry", "date", "fig"]), max_size=4).map(" ".join), max_size=6
).map("\n".join)
EDITS = st.lists(st.tuples(st.sampled_from(PATHS), TEXTS | st.none()), min_size=1, max_size=8)


@given(edits=EDITS, question=st.sampled_from(["apple", "fig date", "banana cherry apple"]))
def test_an_edited_index_equals_a_fresh_one(
    tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[str, str | None]], question: str
) -> None:
    """After any edits, with a search after each, files, lines and scores are those of an index built from nothing."""
    root = tmp_path_factory.mktemp("memory")
    store = Store.make(root / "memories")
    nowhere = root / "a file"  # So the fresh index lies in memory, which spares the disk.
    nowhere.touch()
    kept = Passages(Index(store, root / "index", store.lock, Options()))
    for path, text in edits:
        if text is not None:
            store.write(path, text)
        elif store.exists(path):
            store.delete(path)
        result = kept.rank(kept.terms(question))
        fresh = Passages(Index(store, nowhere, store.lock, Options()))
        assert result == fresh.rank(fresh.terms(question))
    shutil.rmtree(root)
