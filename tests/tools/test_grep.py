"""Searching a store."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from memkit.records import Message
from memkit.store.files import ROOT, Store
from memkit.store.lines import split_lines
from memkit.tools.grep import grep_store
from memkit.tools.output import CLIPPED, OUTPUT_CAP

Call = Callable[..., Message]

ATOMS = ["a", "b", "é", ".", "^", "$", r"\b", r"\B", r"\s", r"\S", r"\d", "[^a]", "[^x]", r"\n", r"[\n]", r"\r", r"\W"]
ATOMS += [
    "(a|)",
    "(?i)B",
    "(?i:É)",
    "(?s:.)",
    "(?U)a+",
    " ",
    "\u0085",
    "\u2028",
    r"\.",
    r"\pL",
    "[[:^alpha:]]",
    r"\x{e9}",
]
patterns = st.lists(
    st.tuples(st.sampled_from(ATOMS), st.sampled_from(["", "", "", "*", "+", "?", "|", "{2}"])), max_size=4
).map(lambda pieces: "".join(atom + suffix for atom, suffix in pieces))
texts = st.text(st.sampled_from("aabBé1 .\n\n\r\u0085\u2028\ufeff"), max_size=40) | st.lists(
    st.sampled_from(["", "a", "ab", "éa b", "B 1", "\r"]), max_size=8
).map("\r\n".join)


def _naive(pattern: str, files: dict[str, str], *, ignore_case: bool) -> list[str]:
    """One search a line: what grep must give, found the slow way."""
    flag = "(?i)" if ignore_case else ""
    return [
        f"{path}:{number}:{line}"
        for path, text in files.items()
        for number, line in enumerate(split_lines(text), 1)
        if re2.search((flag + pattern).encode(), line.encode())
    ]


def _is_pattern(pattern: str) -> bool:
    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(pattern.encode(), options)
    except re2.error:
        return False
    return True


@given(patterns.filter(_is_pattern), st.tuples(texts, texts), st.booleans())
def test_equals_a_search_of_each_line(pattern: str, contents: tuple[str, str], ignore_case: bool) -> None:  # noqa: FBT001
    """The lines found are those that match on their own, for any pattern and any kind of line break."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "memories"
        store = Store.make(root)
        for name, text in zip("ab", contents, strict=True):
            (root / name).write_bytes(text.encode())
        files = {path: store.read(path) for path in store.paths()}
        found = grep_store(store, pattern, ROOT, max_results=1_000, ignore_case=ignore_case)

    expected = _naive(pattern, files, ignore_case=ignore_case)
    if expected:
        assert "\n".join(expected) == found
    else:
        assert found.startswith("No line matches ")


def test_store_order_and_numbers(store: Store, call: Call) -> None:
    """Matches come in the order of the store as path, line and text, each line once."""
    store.create("/memories/b.md", "x x x\n\nx\n")
    store.create("/memories/a/z.md", "no\nx")
    store.create("/memories/a.md", "---\nname: x\n---\n")

    assert (
        "/memories/a/z.md:2:x\n/memories/a.md:2:name: x\n/memories/b.md:1:x x x\n/memories/b.md:3:x"
        == call("grep", pattern="x").content
    )


@pytest.mark.parametrize(
    ("pattern", "lines"),
    [
        ("one$", [1]),
        ("^two$", [2]),
        ("^$", [3]),
        ("", [1, 2, 3, 4]),
        ("$", [1, 2, 3, 4]),
        ("x*", [1, 2, 3, 4]),
        (r"e\s", [1]),
        (r"\r", []),
    ],
)
def test_windows_line_breaks(store: Store, call: Call, pattern: str, lines: list[int]) -> None:
    """The end of a line is before its break, be it of Windows or Unix, and the end of the file starts no line."""
    store.create("/memories/a.md", "the one\r\ntwo\r\n\r\n4\r\n")
    rows = call("grep", pattern=pattern).content.split("\n")

    assert lines == [int(row.split(":")[1]) for row in rows if row.startswith("/memories/a.md:")]
    assert not any(row.endswith("\r") for row in rows)


def test_byte_order_mark(tmp_path: Path, store: Store, call: Call) -> None:
    """A byte order mark is no part of the first line."""
    (tmp_path / "memory" / "memories" / "a.md").write_bytes(b"\xef\xbb\xbf# Title\n")

    assert "/memories/a.md:1:# Title" == call("grep", pattern="^# Title$").content


def test_scope(store: Store, call: Call) -> None:
    """A path narrows the search to a file, or to a folder with all below it and no sibling of a like name."""
    for name in ["a/one.md", "a/b/two.md", "ab.md"]:
        store.create(f"/memories/{name}", "x")

    assert "/memories/a/b/two.md:1:x\n/memories/a/one.md:1:x" == call("grep", pattern="x", path="/memories/a").content
    assert "/memories/a/b/two.md:1:x\n/memories/a/one.md:1:x" == call("grep", pattern="x", path="/memories/a/").content
    assert "/memories/ab.md:1:x" == call("grep", pattern="x", path="/memories/ab.md").content
    assert Message(
        "tool", "The path /memories/c does not exist. Please provide a valid path.", tool_call_id="c1", is_error=True
    ) == call("grep", pattern="x", path="/memories/c")


def test_ignore_case(store: Store, call: Call) -> None:
    """Case is ignored on demand, in any script, also for a pattern that is a plain word."""
    store.create("/memories/a.md", "ÉCOLE\nécole\nΣΑΣ\n")

    assert "/memories/a.md:2:école" == call("grep", pattern="école").content
    assert "/memories/a.md:1:ÉCOLE\n/memories/a.md:2:école" == call("grep", pattern="École", ignore_case=True).content
    assert "/memories/a.md:3:ΣΑΣ" == call("grep", pattern="(?i)σας").content


def test_no_match(store: Store, call: Call) -> None:
    """Nothing found is said in a sentence, not as an error."""
    store.create("/memories/a.md", "x")

    assert Message("tool", "No line matches 'y' in /memories (1 file searched).", tool_call_id="c1") == call(
        "grep", pattern="y"
    )


def test_line_break_hint(store: Store, call: Call) -> None:
    """A pattern that asks for a line break finds nothing, and the answer tells why."""
    store.create("/memories/a.md", "a\nb\n")

    for pattern in ("a\\nb", "a\nb"):
        assert call("grep", pattern=pattern).content.endswith(" Lines are searched one by one, so \\n never matches.")


def test_more_than_max_results(store: Store, call: Call) -> None:
    """What is over the number asked for is counted by file."""
    store.create("/memories/a.md", "x\n" * 5)
    store.create("/memories/b.md", "y\n")
    store.create("/memories/c.md", "x\n" * 3)

    assert (
        "/memories/a.md:1:x\n/memories/a.md:2:x\n"
        "[6 more matching lines in 2 files: /memories/a.md (3), /memories/c.md (3);"
        " narrow path or pattern, or raise max_results]"
    ) == call("grep", pattern="x", max_results=2).content
    assert "/memories/a.md:1:x" == call("grep", pattern="x", max_results=8).content.split("\n")[0]
    assert "more matching" not in call("grep", pattern="x", max_results=8).content


def test_many_files_left(store: Store, call: Call) -> None:
    """A notice names five files at most, those with the most matches first."""
    for number in range(15):
        store.create(f"/memories/{number:02}.md", "x\n" * (2 if number == 9 else 1))
    notice = call("grep", pattern="x", max_results=1).content.split("\n")[1]

    assert notice.startswith("[15 more matching lines in 14 files: /memories/09.md (2), /memories/01.md (1), ")
    assert "/memories/04.md (1), …; narrow path or pattern" in notice


@pytest.mark.parametrize("pattern", ["x", "x+"])
def test_output_cap(store: Store, call: Call, pattern: str) -> None:
    """Results keep the cap, and shown and counted lines add up to all."""
    store.create("/memories/a.md", ("x" * 300 + "\n") * 400)
    content = call("grep", pattern=pattern, max_results=1_000).content
    *rows, notice = content.split("\n")

    assert OUTPUT_CAP >= len(content)
    assert f"[{400 - len(rows)} more matching lines in 1 file: /memories/a.md ({400 - len(rows)});" in notice
    assert notice.endswith("narrow path or pattern]")


@pytest.mark.parametrize("pattern", ["needle", "needl[e]"])
def test_long_line(store: Store, call: Call, pattern: str) -> None:
    """A long line is shown around its first match, with markers that count characters, not bytes."""
    store.create("/memories/a.md", "é" * 1_000 + "needle" + "ü" * 1_000 + "\n")

    assert (
        f"/memories/a.md:1:{CLIPPED}750 characters] {'é' * 250}needle{'ü' * 244} {CLIPPED}756 characters]"
        == call("grep", pattern=pattern).content
    )


def test_not_text(tmp_path: Path, store: Store, call: Call) -> None:
    """Files that are no text are skipped and named, whether or not others match."""
    root = tmp_path / "memory" / "memories"
    (root / "latin").write_bytes(b"x \xe9\n")
    (root / "zero").write_bytes(b"x\0\n")
    store.create("/memories/z.md", "x\n")
    notice = "[not searched, since not UTF-8 text: /memories/latin, /memories/zero]"

    assert f"/memories/z.md:1:x\n{notice}" == call("grep", pattern="x").content
    assert f"No line matches 'y' in /memories (1 file searched).\n{notice}" == call("grep", pattern="y").content


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(a", "missing ): (a."),
        ("[", "missing ]: [."),
        ("a**", "bad repetition operator: **."),
        ("(?=a)", "invalid perl operator: (?=."),
        (r"(a)\1", r"invalid escape sequence: \1."),
        ("a{1001}", "invalid repetition size: {1001}."),
    ],
)
def test_invalid_pattern(call: Call, pattern: str, reason: str) -> None:
    """A pattern that RE2 does not take is an error with RE2's reason."""
    result = call("grep", pattern=pattern)

    assert result.is_error
    assert f"The pattern {pattern!r} is not a regular expression of RE2: {reason}" in result.content


@pytest.mark.parametrize("form", [r"\A", r"\z", r"\C", "(?-m)", "(?i-ms:"])
def test_beyond_lines(call: Call, form: str) -> None:
    """What could tell the file from its lines is refused, unless it is quoted."""
    pattern = form + ("a)" if form.endswith(":") else "a")

    assert (
        f"grep searches line by line and does not take {form}; use ^ and $ for the ends of a line."
        == call("grep", pattern=pattern).content
    )
    assert call("grep", pattern=rf"\Q{pattern}\E").content.startswith("No line matches")
    assert call("grep", pattern=r"\\A").content.startswith("No line matches")


def test_unclosed_quote(call: Call) -> None:
    """A quote that is not closed is an error, not a search for something else."""
    assert "a \\Q that no \\E closes" in call("grep", pattern=r"\Qa").content


@pytest.mark.parametrize("number", [0, -1, 1_001])
def test_max_results(call: Call, number: int) -> None:
    """The number of results is bounded."""
    assert f"max_results must be from 1 to 1000, not {number}." == call("grep", pattern="x", max_results=number).content


def test_nested_repeats(store: Store, call: Call) -> None:
    """A pattern that makes a backtracking engine run for ages comes to an end."""
    store.create("/memories/a.md", "a" * 100_000 + "!\n")

    assert call("grep", pattern="(a+)+$").content.startswith("No line matches")


def test_frozen_and_changed(store: Store) -> None:
    """A search sees every change of the store, and a frozen store still answers."""
    store.create("/memories/a.md", "old\n")
    first = grep_store(store, "old|new", ROOT, max_results=5)
    store.write("/memories/a.md", "new\n")

    assert "/memories/a.md:1:old" == first
    assert "/memories/a.md:1:new" == grep_store(store, "old|new", ROOT, max_results=5)
    assert "/memories/a.md:1:new" == grep_store(store.frozen(), "old|new", ROOT, max_results=5)
