"""What every dataset promises."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from memkit.archive import Archive
from memkit.contracts import Dataset
from memkit.errors import DataError
from memkit.locators import Locator
from memkit.records import Case, Session


class DatasetSuite:
    """Subclass and fill in `make`, and `source` where the data does not ship with the plugin."""

    most: ClassVar[int] = 20
    """Cases looked at, of a large dataset the first ones."""

    def make(self) -> Dataset:
        """A new dataset."""
        raise NotImplementedError

    def source(self) -> Path | None:
        """The path to load; None for data that ships with the plugin. May skip the test when it is absent."""
        return None

    def test_fits_its_contract(self) -> None:
        """It has the method of a dataset."""
        assert isinstance(self.make(), Dataset)

    def test_the_order_is_always_the_same(self) -> None:
        """Loaded twice, the cases are equal, one by one."""
        assert list(self._cases()) == list(self._cases())

    def test_ids_are_unique(self) -> None:
        """No two streams share an id, nor do two questions."""
        cases = list(self._cases())
        streams = [case.stream.id for case in cases]
        questions = [question.id for case in cases for question in case.questions]

        assert streams
        assert sorted(set(streams)) == sorted(streams)
        assert sorted(set(questions)) == sorted(questions)

    def test_evidence_is_in_the_stream(self) -> None:
        """Every locator of a question is one turn or step of its stream."""
        for case in self._cases():
            places = list(_places(case))
            assert len(places) == len(set(places))
            assert set() == {locator for question in case.questions for locator in question.evidence} - set(places)

    def test_questions_are_whole(self) -> None:
        """Each has text; where there are options, two or more different ones, and the gold is one of them."""
        for case in self._cases():
            for question in case.questions:
                assert question.text.strip(), question.id
                assert len(question.options) == len(set(question.options)) != 1, question.id
                assert not question.options or question.gold is None or question.gold in question.options, question.id

    def test_streams_can_be_archived(self, tmp_path: Path) -> None:
        """Every unit comes back from an archive as it was, and no two have one name."""
        for number, case in enumerate(self._cases()):
            archive = Archive(tmp_path / str(number) / "stream.jsonl")
            archive.extend(case.stream.units)

            assert len(case.stream.units) == len(archive)
            assert list(case.stream.units) == list(archive.units())

    def test_a_missing_path_is_named(self, tmp_path: Path) -> None:
        """A path that cannot be loaded is an error that names it."""
        missing = tmp_path / "none"
        with pytest.raises(DataError) as caught:
            list(self.make().load(missing))

        assert str(missing) in str(caught.value)

    def _cases(self) -> Iterator[Case]:
        for _, case in zip(range(self.most), self.make().load(self.source()), strict=False):
            yield case


def _places(case: Case) -> Iterator[Locator]:
    for unit in case.stream.units:
        if isinstance(unit, Session):
            yield from (turn.locator for turn in unit.turns)
        else:
            yield unit.locator
