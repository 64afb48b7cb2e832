"""What every builder promises."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import ClassVar

import pytest
from attrs import evolve
from hypothesis import given

from memkit.build import build, ingest
from memkit.contracts import Builder
from memkit.errors import MemkitError, ModelError, StoreError
from memkit.locators import Locator
from memkit.memory import Memory
from memkit.records import STORELESS, Session, Stream, Unit
from memkit.store.frontmatter import parse
from memkit.testing.samples import CHAT, HOSTILE, LAYOUTS, LONG, RUN, SURROGATE, contents, session
from memkit.testing.strategies import sessions


class BuilderSuite:
    """Subclass and fill in `make`. A builder with a model gets one that says the same each time."""

    streams: ClassVar[tuple[Stream, ...]] = (CHAT, RUN)
    """What the builder can take; leave out the kind it cannot."""

    def make(self) -> Builder:
        """A new builder, as a new process would make it."""
        raise NotImplementedError

    def test_fits_its_contract(self) -> None:
        """It has the methods of a builder, and a layout there is."""
        builder = self.make()

        assert isinstance(builder, Builder)
        assert builder.layout in LAYOUTS

    def test_receipts_account_for_every_unit(self, tmp_path: Path) -> None:
        """A receipt gives a reason unless all was stored, and names only what the archive holds."""
        for stream in self.streams:
            memory = self._memory(tmp_path / stream.id)
            builder = self.make()
            for unit in stream.units:
                receipt = run(ingest(memory, builder, unit))

                assert (receipt.status == "stored") == (not receipt.reason)
                assert set(receipt.locators) <= set(locators_of(unit))
                assert receipt.status != "stored" or set(receipt.locators) == set(locators_of(unit))
                for locator in receipt.locators:
                    memory.archive.resolve(locator)

    def test_ingesting_again_after_a_crash_changes_nothing(self, tmp_path: Path) -> None:
        """A unit taken twice by two processes leaves the store that one would."""
        for stream in self.streams:
            once = self._build(tmp_path / f"{stream.id}-once", stream.units)
            twice = self._memory(tmp_path / f"{stream.id}-twice")
            for unit in stream.units:
                twice.archive.append(unit)
                run(self.make().ingest(twice, unit))
                run(self.make().ingest(twice, unit))
            run(self.make().consolidate(twice))

            assert contents(once.store) == contents(twice.store)

    def test_a_known_unit_is_rejected(self, tmp_path: Path) -> None:
        """What is in the memory is not taken again, and nothing changes."""
        for stream in self.streams:
            memory = self._build(tmp_path / stream.id, stream.units)
            before = contents(memory.store)

            receipts = [run(ingest(memory, self.make(), unit)) for unit in stream.units]

            assert ["rejected"] * len(stream.units) == [receipt.status for receipt in receipts]
            assert before == contents(memory.store)

    def test_the_archive_is_left_alone(self, tmp_path: Path) -> None:
        """The archive holds the units verbatim and in order, whatever the builder does."""
        for stream in self.streams:
            memory = self._build(tmp_path / stream.id, stream.units)

            assert list(stream.units) == list(memory.archive.units())

    def test_files_are_valid(self, tmp_path: Path) -> None:
        """Each file is named by its frontmatter, described in one line, and where its layout says."""
        for stream in self.streams:
            assert_valid(self._build(tmp_path / stream.id, stream.units))

    def test_consolidating_again_changes_nothing(self, tmp_path: Path) -> None:
        """A finished store stays as it is."""
        for stream in self.streams:
            memory = self._build(tmp_path / stream.id, stream.units)
            before = contents(memory.store)

            run(self.make().consolidate(memory))

            assert before == contents(memory.store)

    def test_more_units_may_come_after_consolidation(self, tmp_path: Path) -> None:
        """A finished memory takes further units and is finished again; its store changes, where it has one."""
        for stream in self.streams:
            memory = self._build(tmp_path / stream.id, stream.units[:1])
            before = contents(memory.store)

            run(build(memory, self.make(), stream.units))

            assert (before == contents(memory.store)) == (memory.manifest.layout in STORELESS)
            assert memory.manifest.ready
            assert_valid(memory)

    @pytest.mark.parametrize("text", [*HOSTILE, SURROGATE])
    def test_hostile_text_is_stored_or_refused(self, tmp_path: Path, text: str) -> None:
        """Text that looks like structure is text; text that cannot be written is refused in words."""
        units = [unit for stream in self.streams for unit in (_with_text(stream.units[0], text),)]
        for number, unit in enumerate(units):
            memory = self._memory(tmp_path / str(number))
            try:
                run(ingest(memory, self.make(), unit))
            except (StoreError, ModelError):
                assert {} == contents(memory.store)
            assert_valid(memory)

    def test_any_session_is_stored_or_refused(self) -> None:
        """Whatever is said, by whomever: a valid store, or an error of memkit's."""
        if not any(isinstance(stream.units[0], Session) for stream in self.streams):
            pytest.skip("the builder takes no conversations")

        @given(sessions())
        def check(unit: Session) -> None:
            with TemporaryDirectory() as folder:
                memory = self._memory(Path(folder) / "memory")
                try:
                    run(build(memory, self.make(), [unit]))
                except MemkitError as error:
                    assert str(error)  # noqa: PT017
                assert_valid(memory)

        check()

    def test_a_very_long_turn_costs_its_neighbours_nothing(self, tmp_path: Path) -> None:
        """200 KB in one turn: the short ones beside it are stored."""
        unit = session(1, ("Ana", "Before."), ("Bo", LONG), ("Ana", "After."))
        if not any(isinstance(stream.units[0], Session) for stream in self.streams):
            pytest.skip("the builder takes no conversations")
        memory = self._memory(tmp_path / "memory")

        receipt = run(ingest(memory, self.make(), unit))

        assert {Locator("S", 1, 1), Locator("S", 1, 3)} <= set(receipt.locators)
        assert_valid(memory)

    def test_nothing_is_written_elsewhere(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The memory directory is the only place that changes."""
        home = tmp_path / "home"
        home.mkdir()
        monkeypatch.chdir(home)
        monkeypatch.setenv("HOME", str(home))
        for stream in self.streams:
            self._build(tmp_path / "memories" / stream.id, stream.units)

        assert [] == names(home)
        assert ["home", "memories"] == names(tmp_path)
        assert sorted(stream.id for stream in self.streams) == names(tmp_path / "memories")

    def _memory(self, path: Path) -> Memory:
        return Memory.create(path, builder="suite", plugin="suite 0", layout=self.make().layout)

    def _build(self, path: Path, units: Sequence[Unit]) -> Memory:
        memory = self._memory(path)
        run(build(memory, self.make(), units))
        return memory


run = asyncio.run


def names(folder: Path) -> list[str]:
    """What is in a folder, sorted."""
    return sorted(entry.name for entry in folder.iterdir())


def locators_of(unit: Unit) -> tuple[Locator, ...]:
    """Where the parts of a unit are."""
    return tuple(turn.locator for turn in unit.turns) if isinstance(unit, Session) else (unit.locator,)


def assert_valid(memory: Memory) -> None:
    """Every file has frontmatter with its own name and a description, and stands where the layout allows."""
    for path in memory.store.paths():
        file = PurePosixPath(path)
        front = parse(memory.store.read(path))
        assert front is not None, path
        assert (file.stem, ".md") == (front.name, file.suffix)
        assert front.description.strip(), path
        assert 1 == len(front.description.splitlines()), path
        assert memory.manifest.layout in ("tree", "foldered") or str(file.parent) == "/memories", path


def _with_text(unit: Unit, text: str) -> Unit:
    if isinstance(unit, Session):
        return evolve(unit, turns=(evolve(unit.turns[0], text=text), *unit.turns[1:]))
    return evolve(unit, observation=text)
