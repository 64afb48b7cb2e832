"""What every runner promises."""

from __future__ import annotations

import time
from pathlib import Path

from attrs import frozen

from memkit.contracts import Job, Runner
from memkit.errors import UserError

MANY = 24
"""Jobs enough that a runner cannot have begun them all when the first is done."""


@frozen
class Square:
    """A job that returns its number squared."""

    id: str
    number: int

    def run(self) -> int:
        """The square."""
        return self.number**2


@frozen
class Fail:
    """A job that raises: an error of memkit's, or a bug."""

    id: str
    bug: bool

    def run(self) -> None:
        """Raise."""
        raise (ValueError if self.bug else UserError)(f"what went wrong in {self.id}")


@frozen
class Mark:
    """A job that leaves a file when it starts and one when it ends."""

    id: str
    folder: Path

    def run(self) -> None:
        """Mark the start, take a moment, mark the end."""
        (self.folder / f"{self.id}.started").touch()
        time.sleep(0.05)
        (self.folder / f"{self.id}.ended").touch()


class RunnerSuite:
    """Subclass and fill in `make`."""

    def make(self) -> Runner:
        """A new runner."""
        raise NotImplementedError

    def test_fits_its_contract(self) -> None:
        """It has the method of a runner."""
        assert isinstance(self.make(), Runner)

    def test_every_job_has_one_result(self) -> None:
        """Each job's value comes once, in whatever order."""
        results = list(self.make().run([Square(f"job-{number}", number) for number in range(5)]))

        expected = [(f"job-{number}", number**2, None) for number in range(5)]
        assert expected == sorted((result.id, result.value, result.error) for result in results)

    def test_one_job(self) -> None:
        """A single job is run like any other."""
        assert [("only", 9)] == [(result.id, result.value) for result in self.make().run([Square("only", 3)])]

    def test_no_jobs(self) -> None:
        """Nothing to do gives no results."""
        assert [] == list(self.make().run([]))

    def test_errors_are_text(self) -> None:
        """A job that raises yields its error as text, and the others go on."""
        jobs: list[Job] = [Square("good", 2), Fail("refused", bug=False), Fail("broken", bug=True), Square("better", 3)]
        results = {result.id: result for result in self.make().run(jobs)}

        assert {"good", "refused", "broken", "better"} == results.keys()
        assert [4, 9] == [results["good"].value, results["better"].value]
        for name in ("refused", "broken"):
            error = results[name].error
            assert isinstance(error, str)
            assert f"what went wrong in {name}" in error
            assert results[name].value is None

    def test_closing_early_finishes_what_was_started(self, tmp_path: Path) -> None:
        """Closed after its first result, every started job has ended, and the others never start."""
        results = self.make().run([Mark(f"job-{number}", tmp_path) for number in range(MANY)])
        next(results)
        results.close()

        started = {file.stem for file in tmp_path.glob("*.started")}
        assert started == {file.stem for file in tmp_path.glob("*.ended")}
        assert 0 < len(started) < MANY
