"""Which names a store takes."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memkit.errors import PathRefused
from memkit.store.files import Store
from memkit.store.limits import Limits
from memkit.store.paths import ROOT, Parts, fold, name_problem, parse, shown, twin, virtual

ROOT_FOLDER = Path("/nowhere/memories")

any_text = st.text(st.characters(exclude_categories=()))
hostile_names = st.one_of(
    any_text,
    st.sampled_from(
        ["..", ".", "", "...", "%2e%2e", "\uff0e\uff0e", "\u2025", "a\\..", "CON", "e\u0301", "\0", "~", "-rf"]
    ),
)
hostile_paths = st.one_of(
    any_text,
    st.lists(hostile_names, max_size=5).map(lambda names: "/".join([ROOT, *names])),
    st.lists(hostile_names, max_size=5).map("/".join),
)


def test_root_and_below() -> None:
    """The root is the empty tuple, and a path its names."""
    assert parse("/memories") == ()
    assert parse("/memories/people/Ana Ruiz.md") == ("people", "Ana Ruiz.md")


def test_refusal_says_path_rule_and_mend() -> None:
    """A refusal quotes the path and says how to write it."""
    with pytest.raises(PathRefused) as caught:
        parse("/etc/passwd")

    assert str(caught.value) == 'The path "/etc/passwd" is refused: it must start with /memories/.'
    assert caught.value.path == "/etc/passwd"


def test_refusal_escapes_what_does_not_print() -> None:
    """A refused path with control characters cannot act on the terminal it is shown on."""
    with pytest.raises(PathRefused) as caught:
        parse("/memories/\x1b[2J\u202e")

    assert str(caught.value).split(":")[0] == 'The path "/memories/\\x1b[2J\\u202e" is refused'


def test_not_text() -> None:
    """A path that is not text is refused like any other."""
    with pytest.raises(PathRefused):
        parse(7)  # type: ignore[arg-type]


def outcome(path: str) -> Parts | PathRefused:
    """The names of a path, or why there are none."""
    try:
        return parse(path)
    except PathRefused as error:
        return error


@given(hostile_paths)
@example("/memories/a\u0301")
def test_parse_never_escapes(path: str) -> None:
    """Any text is refused with a message that prints, or gives names inside the root that parse to themselves."""
    parts = outcome(path)
    if isinstance(parts, PathRefused):
        assert path == parts.path
        assert str(parts).isprintable()
    else:
        assert (*ROOT_FOLDER.parts, *parts) == Path(os.path.normpath(ROOT_FOLDER.joinpath(*parts))).parts
        assert parts == parse(virtual(parts))
        assert all(name_problem(name) is None and unicodedata.is_normalized("NFC", name) for name in parts)


@given(hostile_paths)
def test_writing_never_escapes(path: str) -> None:
    """Any path is refused and nothing made, or the one new file is inside the root and is read back."""
    with TemporaryDirectory() as directory:
        root = Path(directory).resolve() / "memory" / "memories"
        store = Store.make(root)
        try:
            store.create(path, "text")
        except PathRefused:
            wanted = []
        else:
            wanted = [path]
            assert store.paths() in ([virtual(parse(path))], [])
        files = [found for found in Path(directory).resolve().rglob("*") if found.is_file()]
        inside = [found for found in files if found.resolve().is_relative_to(root)]
        assert ["text"] * len(wanted) == [found.read_text() for found in inside]
        assert {"generation", ".lock"} >= {found.name for found in files if found not in inside}
        assert ["text"] * len(wanted) == [store.read(path) for path in wanted]


def test_limits_are_inclusive() -> None:
    """A name, a path and a depth right at their limits are taken, and one more is not."""
    limits = Limits(name_bytes=4, path_bytes=24, depth=3)

    assert parse("/memories/éé", limits) == ("éé",)
    assert parse("/memories/a/b/c", limits) == ("a", "b", "c")
    assert parse("/memories/abcd/abcd/abcd", limits) == ("abcd", "abcd", "abcd")
    for path in ("/memories/ééa", "/memories/a/b/c/d", "/memories/abcd/abcd/éé/é"):
        with pytest.raises(PathRefused):
            parse(path, limits)


@given(st.text(min_size=1), st.text(min_size=1))
def test_fold_and_twin(one: str, other: str) -> None:
    """The normal form of a name does not matter to its key, and names of one key are twins."""
    assert fold(one) == fold(unicodedata.normalize("NFD", one))
    assert (fold(one) == fold(other)) == (twin(one, [other]) == other)


@given(st.characters(exclude_categories=["Cs"]))
def test_fold_ignores_case(character: str) -> None:
    """A character and its folded form have one key."""
    assert fold(character) == fold(character.casefold()) == fold(fold(character))


def test_shown_cuts() -> None:
    """A very long path does not fill a message."""
    assert len(shown("/memories/" + "a" * 5000)) == 203
