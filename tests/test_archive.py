"""The archive keeps every unit verbatim, and every locator resolves into it."""

from __future__ import annotations

import os
import stat
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit import Archive, DataError, Locator, NotFound, Session, Span, Step, Turn
from memkit.archive import unit_digest, unit_name

texts = st.text(st.characters(exclude_categories=()), max_size=40)


@st.composite
def sessions(draw: st.DrawFn, number: int = 1) -> Session:
    """A session of that number with turns of any text."""
    said = draw(st.lists(st.tuples(texts, texts, texts), max_size=4))
    turns = [Turn(Locator("S", number, index), *parts) for index, parts in enumerate(said, 1)]
    return Session(number, tuple(turns), draw(st.none() | texts))


@st.composite
def steps(draw: st.DrawFn, index: int = 1) -> Step:
    """A step of that index with any action and observation."""
    return Step(Locator("step", 0, index), index, draw(texts), draw(texts))


def streams() -> st.SearchStrategy[list[Session] | list[Step]]:
    """The units of a conversation or of a trajectory."""
    count = st.integers(0, 4)
    return st.one_of(
        count.flatmap(lambda n: st.tuples(*(sessions(i) for i in range(1, n + 1))).map(list)),
        count.flatmap(lambda n: st.tuples(*(steps(i) for i in range(1, n + 1))).map(list)),
    )


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """An archive with nothing in it."""
    return Archive(tmp_path / "archive" / "stream.jsonl")


def step(index: int, action: str = "look", observation: str = "A room.") -> Step:
    """A step of a trajectory."""
    return Step(Locator("step", 0, index), index, action, observation)


SESSION = Session(5, (Turn(Locator("S", 5, 1), "Ann", "Hello 👋🏽 world", "a dog"),), "2023-05-08")


@given(streams())
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, units: list[Session] | list[Step]) -> None:
    """What goes in comes out, in order and equal in every character, from another object too."""
    path = tmp_path_factory.mktemp("archive") / "stream.jsonl"
    archive = Archive(path)
    for unit in units:
        archive.append(unit)

    assert units == list(archive.units())
    assert units == list(Archive(path).units())
    assert len(units) == len(archive)
    assert [unit_digest(unit) for unit in units] == [archive.digest_of(unit) for unit in units]


@given(sessions())
def test_spans(tmp_path_factory: pytest.TempPathFactory, session: Session) -> None:
    """Every span of every field gives exactly its characters."""
    archive = Archive(tmp_path_factory.mktemp("archive") / "stream.jsonl")
    archive.append(session)

    for turn in session.turns:
        for field in ("speaker", "text", "caption"):
            whole = getattr(turn, field)
            middle = len(whole) // 2
            halves = [Span(turn.locator, field, 0, middle), Span(turn.locator, field, middle, len(whole))]
            assert [whole[:middle], whole[middle:]] == [archive.text(span) for span in halves]


@given(streams(), st.data())
def test_extend_cut_short(
    tmp_path_factory: pytest.TempPathFactory, units: list[Session] | list[Step], data: st.DataObject
) -> None:
    """Units added together come out in order; a crash within the write leaves the first of them, each whole."""
    path = tmp_path_factory.mktemp("archive") / "stream.jsonl"
    archive = Archive(path)
    archive.extend(units)
    assert units == list(archive.units())
    assert tuple(map(unit_name, units)) == archive.names()
    written = path.read_bytes() if units else b""

    cut = data.draw(st.integers(0, len(written)))
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(written[:cut])

    whole = written[:cut].count(b"\n")
    assert units[:whole] == list(Archive(path).units())
    again = Archive(path)
    again.extend(units[whole:])
    assert (units, written) == (list(again.units()), path.read_bytes())


@given(streams())
def test_every_place_opened_anew(tmp_path_factory: pytest.TempPathFactory, units: list[Session] | list[Step]) -> None:
    """An archive that was just opened finds every turn and step, whatever their text, in any order."""
    path = tmp_path_factory.mktemp("archive") / "stream.jsonl"
    Archive(path).extend(units)
    places = [turn for unit in units for turn in (unit.turns if isinstance(unit, Session) else (unit,))]

    again = Archive(path)
    assert places[::-1] == [again.resolve(place.locator) for place in reversed(places)]
    assert [unit_digest(unit) for unit in units] == [again.digest_of(unit) for unit in units]


def test_texts_are_not_kept(archive: Archive) -> None:
    """What an open archive knows is far smaller than what it holds."""
    archive.extend([step(index, observation="A room. " * 1000) for index in range(200)])
    size = archive.path.stat().st_size
    tracemalloc.start()

    again = Archive(archive.path)
    again.resolve(Locator("step", 0, 150))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert size > 1_600_000
    assert held < size / 10


def test_names_and_membership(archive: Archive) -> None:
    """Units are known by name, in order."""
    archive.extend([step(3), step(7), SESSION])

    assert ("step 3", "step 7", "session 5") == archive.names()
    assert ("session 5",) == archive.names(2)
    assert [True, False] == ["step 7" in archive, "step 4" in archive]


def test_empty(archive: Archive) -> None:
    """An archive that was never written to holds nothing and is no error."""
    assert ([], 0, "") == (list(archive.units()), len(archive), archive.last)
    assert None is archive.digest_of(SESSION)


def test_names() -> None:
    """Units are named as people name them."""
    assert ["session 5", "step 14"] == [unit_name(SESSION), unit_name(step(14))]


def test_resolve(archive: Archive) -> None:
    """Locators give their turn or step."""
    archive.append(SESSION)
    archive.append(step(14))

    assert SESSION.turns[0] == archive.resolve(Locator("S", 5, 1))
    assert step(14) == archive.resolve(Locator("step", 0, 14))
    assert "step 14" == archive.last


def test_resolve_nothing(archive: Archive) -> None:
    """A locator that leads nowhere is NotFound."""
    archive.append(SESSION)

    with pytest.raises(NotFound, match=r"\[S5T9\] is not in the archive"):
        archive.resolve(Locator("S", 5, 9))


SPAN_FAULTS = {
    "field": (Span(Locator("S", 5, 1), "action", 0, 1), "[S5T1] has no field 'action'; it has speaker, text, caption"),
    "range": (
        Span(Locator("S", 5, 1), "speaker", 0, 4),
        "([S5T1], speaker, [0, 4)) is outside the 3 characters of that field",
    ),
    "reversed": (
        Span(Locator("S", 5, 1), "speaker", 2, 1),
        "([S5T1], speaker, [2, 1)) is outside the 3 characters of that field",
    ),
    "negative": (
        Span(Locator("S", 5, 1), "speaker", -1, 1),
        "([S5T1], speaker, [-1, 1)) is outside the 3 characters of that field",
    ),
}


@pytest.mark.parametrize(("span", "message"), SPAN_FAULTS.values(), ids=SPAN_FAULTS)
def test_span_fault(archive: Archive, span: Span, message: str) -> None:
    """A span that does not exist says what does."""
    archive.append(SESSION)

    with pytest.raises(NotFound) as error:
        archive.text(span)
    assert message == str(error.value)


def test_offsets_count_code_points(archive: Archive) -> None:
    """An emoji with a skin tone is two code points, not four UTF-16 units or eight bytes."""
    archive.append(SESSION)

    assert "👋🏽 w" == archive.text(Span(Locator("S", 5, 1), "text", 6, 10))


@pytest.mark.parametrize("torn", [b"{", b'{"kind":"step"', b"\xff" * 100_000])
def test_torn_tail(archive: Archive, torn: bytes) -> None:
    """A record cut off by a crash is not read, and the next append takes its place."""
    archive.append(step(1))
    with archive.path.open("ab") as file:
        file.write(torn)

    assert [step(1)] == list(archive.units())
    assert archive.torn
    archive.append(step(2))
    assert [step(1), step(2)] == list(archive.units())
    assert not archive.torn
    assert 2 == len(archive)


def test_torn_tail_as_long_as_the_next_record(archive: Archive) -> None:
    """What is remembered is not trusted by the file's size alone."""
    archive.append(step(1))
    whole = archive.path.stat().st_size
    archive.append(step(2))
    record = archive.path.stat().st_size - whole
    os.truncate(archive.path, whole)
    with archive.path.open("ab") as file:
        file.write(b"x" * record)
    again = Archive(archive.path)
    assert 1 == len(again)

    again.append(step(2))

    assert 2 == len(again)


def test_other_writer(archive: Archive) -> None:
    """What another object appended is seen."""
    other = Archive(archive.path)
    assert 0 == len(other)

    archive.append(step(1))

    assert step(1) == other.resolve(Locator("step", 0, 1))


@pytest.mark.parametrize(
    "line", [b"", b"[]", b"\xff", b'{"kind":"session"}', b'{"kind":"song"}', b'{"kind":"step","x":1}']
)
def test_damaged_line(archive: Archive, line: bytes) -> None:
    """A damaged record inside the file is an error that names its line, never skipped."""
    archive.append(step(1))
    with archive.path.open("ab") as file:
        file.write(line + b"\n")
    archive_again = Archive(archive.path)

    with pytest.raises(DataError, match=r"stream\.jsonl:2: this record is damaged"):
        list(archive_again.units())


def test_modes(archive: Archive) -> None:
    """Only the owner may read what was said."""
    archive.append(step(1))

    modes = [stat.S_IMODE(path.stat().st_mode) for path in (archive.path.parent, archive.path)]
    assert [0o700, 0o600] == modes


def test_only_ascii_on_disk(archive: Archive) -> None:
    """One record is one line for every reader: no character in it can end a line."""
    archive.append(step(1, "a\u2028b\x85c\nd\ud800", "é"))

    data = archive.path.read_bytes()
    assert (True, 1) == (data.isascii(), data.count(b"\n"))
