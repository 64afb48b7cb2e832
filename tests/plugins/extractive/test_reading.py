"""The embedded model reads back what the real tools print."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit import (
    ROOT,
    Memory,
    Message,
    Session,
    StoreError,
    compose,
    read_tools,
    render_frontmatter,
    render_options,
    render_unit,
    split_lines,
)
from memkit.testing.samples import CHAT, LONG, RUN, sample_memory, session
from memkit.testing.strategies import file_names, sessions, texts
from memkit_plugins.extractive import reading
from memkit_plugins.extractive.reading import Exchange, Line, read_exchange

Read = Callable[..., Exchange]


def ask(question: str, options: tuple[str, ...] = (), context: str | None = None) -> Exchange:
    """The exchange when nothing but the question was said."""
    rendered = render_options(options)
    if context is None:
        text = compose("roles/ask", question=question, options=rendered).text
    else:
        text = compose("roles/ask-in-context", context=context, question=question, options=rendered).text
    return read_exchange([Message("system", "You search."), Message("user", text)])


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("Where is the kite?", ()),
        ("Which one?", ("a red kite", "a blue one.", "none (of these)")),
        ("Two parts.\n\nWith a gap between.", ()),
        ("Labels: \n(a) is not an option\nand so on", ()),
        ("Labels:\n(a) one\n(b) two\nWhich?", ("first\nof two lines", "second")),
        ("Gap", ("one\n\nwith a gap", "two")),
        ("Question: what?", ()),
    ],
)
def test_question_and_options(question: str, options: tuple[str, ...]) -> None:
    """The question and its options come back as they were asked, whatever lines they have."""
    exchange = ask(question, options)

    assert (question, options) == (exchange.question, exchange.options)


@given(texts(), st.lists(texts(max_size=20), max_size=4))
def test_any_question_can_be_read(question: str, options: list[str]) -> None:
    """Whatever is asked, reading it raises nothing and shows no line of a store."""
    exchange = ask(question, tuple(options))

    assert () == exchange.rounds
    assert () == exchange.lines


def test_view(memories: dict[str, Memory], read: Read) -> None:
    """Every numbered line of a file comes back, dated by the listing."""
    memory = memories["verbatim"]
    path = f"{ROOT}/session_03.md"
    exchange = read(memory, "center", [("view", {"path": ROOT}), ("view", {"path": path})])

    lines = split_lines(memory.store.read(path))
    expected = [Line(path, number, text, date(2024, 10, 15)) for number, text in enumerate(lines, 1) if text]
    assert expected == list(exchange.lines)


def test_grep(memories: dict[str, Memory], read: Read) -> None:
    """Every match comes back with its place, and what was left out is counted."""
    memory = memories["verbatim"]
    wanted = [
        (path, number, text)
        for path in memory.store.paths()
        for number, text in enumerate(split_lines(memory.store.read(path)), 1)
        if "Brezel" in text
    ]
    exchange = read(
        memory, "center", [("grep", {"pattern": "Brezel"}), ("grep", {"pattern": "Brezel", "max_results": 1})]
    )

    whole, capped = exchange.rounds[0]
    assert wanted == [(line.path, line.number, line.text) for line in whole.lines]
    assert [len(wanted), len(wanted)] == [whole.total, capped.total]
    assert 1 == len(capped.lines)


def test_ranked_search(memories: dict[str, Memory], read: Read) -> None:
    """Every line shown stands in the file and at the number it is read at, under its file's date."""
    memory = memories["verbatim"]
    exchange = read(memory, "center+bm25", [("bm25_search", {"query": "kiln glaze cups", "max_results": 3})])

    assert 10 < len(exchange.lines)
    for line in exchange.lines:
        assert line.text == split_lines(memory.store.read(line.path))[(line.number or 0) - 1]
        assert line.day


def test_chunks(memories: dict[str, Memory], read: Read) -> None:
    """Every turn of a chunk comes back with the chunk's path and date."""
    memory = memories["chunk-bm25"]
    exchange = read(memory, "chunks", [("bm25_chunk_retrieve", {"query": "What does Jonas do with his dog?"})])

    assert 3 == len({line.path for line in exchange.lines})
    for path in {line.path for line in exchange.lines}:
        turns = [text for text in split_lines(memory.store.read(path)) if text.startswith("[S")]
        assert turns == [line.text for line in exchange.lines if line.path == path]
    assert all(line.day for line in exchange.lines)


def test_outlines_and_sections(tmp_path: Path, read: Read) -> None:
    """An outline gives each section's titles and lines; a section that was read gives its lines."""
    memory = sample_memory(tmp_path / "memory", "tree")
    path = f"{ROOT}/people/ana.md"
    exchange = read(
        memory, "center", [("toc", {"path": path}), ("section_read", {"path": path, "section": "# Ana > ## Kite"})]
    )

    assert [("Ana",), ("Ana", "Kite"), ("Ana", "Family")] == [section.titles for section in exchange.sections]
    _, kite, _ = exchange.sections
    lines = split_lines(memory.store.read(path))
    assert [line for line in lines[kite.first - 1 : kite.last] if line] == [line.text for line in exchange.lines]
    assert {path} == {line.path for line in exchange.lines}


@given(name=file_names(), unit=sessions())
def test_any_file_is_read_as_it_is(name: str, unit: Session) -> None:
    """Any name the store takes and anything said in it: view and grep agree with the file."""
    with TemporaryDirectory() as folder:
        memory = Memory.create(Path(folder) / "m", builder="tests", plugin="tests 0", layout="flat")
        path = f"{ROOT}/{name.rpartition('.')[0] or 'x'}.md"
        try:
            memory.store.write(path, render_frontmatter("x", "x") + "\n" + render_unit(unit))
        except StoreError:
            return
        (path,) = memory.store.paths()  # in the store's own normal form
        view, grep, *_ = read_tools(memory.store)
        shown = asyncio.run(view({"path": path}))
        found = asyncio.run(grep({"pattern": "", "max_results": 900}))
        expected = [(path, number, text) for number, text in enumerate(split_lines(memory.store.read(path)), 1)]
        assert expected == [
            (line.path, line.number, line.text) for line in reading._numbered_lines(shown) if line.number
        ]
        assert expected == [(line.path, line.number, line.text) for line in reading._found_lines(found)]


def test_a_clipped_line_gives_way_to_the_whole(tmp_path: Path, read: Read) -> None:
    """Where one tool cut a line and another showed it, the longer text is kept, without marks of the cut."""
    memory = sample_memory(tmp_path / "memory", "flat")
    path = f"{ROOT}/long.md"
    memory.store.write(path, f"{LONG[:1_500]} needle\n")
    exchange = read(memory, "center", [("grep", {"pattern": "needle"})], [("view", {"path": path})])

    assert [f"{LONG[:1_500]} needle"] == [line.text for line in exchange.lines if line.path == path]
    assert "[clipped" not in exchange.rounds[0][0].lines[0].text


def test_failed_calls(memories: dict[str, Memory], read: Read) -> None:
    """A call that could not be done shows nothing."""
    exchange = read(memories["verbatim"], "center", [("view", {"path": f"{ROOT}/none.md"}), ("grep", {"pattern": "("})])

    assert () == exchange.lines
    assert [True, True] == [probe.failed for probe in exchange.rounds[0]]


def test_context(read: Read) -> None:
    """A conversation given whole is read by turns, each under the date of its session or none."""
    exchange = ask("where?", context="".join(map(render_unit, CHAT.units)))

    turns = [turn for unit in CHAT.units for turn in unit.turns]
    assert [str(turn.locator) for turn in turns] == [line.turn["locator"] for line in exchange.lines if line.turn]
    assert [turn.text for turn in turns] == [line.turn["said"] for line in exchange.lines if line.turn]
    days = [date(2024, 3, 4)] * 3 + [date(2024, 4, 9)] * 3 + [None] * 2
    assert days == [line.day for line in exchange.lines]


def test_steps_and_long_turns_are_joined() -> None:
    """A turn or step of several lines is one line to the model; steps have no speaker."""
    unit = session(1, ("Ana", "One.\n\nTwo."), ("Bo", "Three."))
    exchange = ask("where?", context=render_unit(unit) + "".join(map(render_unit, RUN.units)))

    assert [
        "[S1T1] Ana: One. Two.",
        "[S1T2] Bo: Three.",
        "[step 0] go to sink 1 You see soap 1 and a towel.",
        "[step 1] take soap 1 from sink 1 You hold soap 1.",
        "[step 2] go to bin 1 The bin is empty. It is closed.",
    ] == [line.text for line in exchange.lines]
    assert ["Ana", "Bo", None, None, None] == [line.turn["speaker"] for line in exchange.lines if line.turn]
