"""Each suite finds a part that breaks a promise: a suite that passes everything says nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve, field, frozen

from memkit import (
    ROOT,
    Answer,
    Case,
    Citation,
    Completion,
    Job,
    JobResult,
    Layout,
    Memory,
    Message,
    Question,
    Receipt,
    Request,
    Role,
    Session,
    Tool,
    ToolSpec,
    Unit,
    Usage,
    Verdict,
    render_frontmatter,
)
from memkit.testing.samples import CHAT, QUESTIONS, RUN, sample_memory
from memkit.testing.suites import (
    BuilderSuite,
    DatasetSuite,
    HarnessSuite,
    JudgeSuite,
    ModelSuite,
    RunnerSuite,
    SearcherSuite,
)


@frozen
class Journal:
    """A builder that is sound in all but what `fault` says."""

    fault: str
    layout: Layout = "flat"

    async def ingest(self, memory: Memory, unit: Unit) -> Receipt:
        """One file a unit."""
        locators = tuple(turn.locator for turn in unit.turns) if isinstance(unit, Session) else (unit.locator,)
        name = f"unit_{locators[0].group}_{locators[0].index}"
        if self.fault == "appends":
            name += f"_{len(memory.store.paths())}"
        if self.fault == "nests":
            name = f"folder/{name}"
        if self.fault == "litters":
            Path("litter.txt").write_text("x")  # noqa: ASYNC240
        text = "plain" if self.fault == "bare" else render_frontmatter(name.rpartition("/")[2], "A unit.")
        memory.store.write(f"{ROOT}/{name}.md", text)
        return Receipt("stored", () if self.fault == "forgets" else locators)

    async def consolidate(self, memory: Memory) -> None:
        """Nothing."""
        if self.fault == "grows":
            memory.store.write(f"{ROOT}/again_{len(memory.store.paths())}.md", "x")


@pytest.mark.parametrize(
    ("fault", "promise"),
    [
        ("appends", BuilderSuite.test_ingesting_again_after_a_crash_changes_nothing),
        ("nests", BuilderSuite.test_files_are_valid),
        ("bare", BuilderSuite.test_files_are_valid),
        ("forgets", BuilderSuite.test_receipts_account_for_every_unit),
        ("grows", BuilderSuite.test_consolidating_again_changes_nothing),
    ],
)
def test_builders(tmp_path: Path, fault: str, promise: Any) -> None:
    """A builder with one fault fails the test of that promise, and without it passes."""

    class Faulty(BuilderSuite):
        def make(self) -> Journal:
            return Journal(fault)

    class Sound(BuilderSuite):
        def make(self) -> Journal:
            return Journal("")

    promise(Sound(), tmp_path / "sound")
    with pytest.raises(AssertionError):
        promise(Faulty(), tmp_path / "faulty")


def test_builders_that_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file beside the memory is found."""

    class Litters(BuilderSuite):
        def make(self) -> Journal:
            return Journal("litters")

    with pytest.raises(AssertionError):
        Litters().test_nothing_is_written_elsewhere(tmp_path, monkeypatch)


@frozen
class Pen:
    """A tool that writes, or fails as no tool should."""

    memory: Memory
    fault: str
    spec: ToolSpec = field(
        default=ToolSpec(
            "pen", "Write.", {"type": "object", "properties": {"path": {"type": "string", "description": "Where."}}}
        )
    )

    async def __call__(self, arguments: Mapping[str, Any]) -> str:
        """Do wrong."""
        if self.fault == "raises" and "path" in arguments:
            raise KeyError(arguments["path"])
        if self.fault == "writes":
            self.memory.store.write(f"{ROOT}/pen.md", "x")
        return "done"


@frozen
class PenHarness:
    """A harness of that tool, for searching flat stores."""

    fault: str

    def misfit(self, role: Role, layout: Layout) -> str | None:
        """All but one."""
        return None if (role, layout) == ("search", "flat") else "only searches flat stores"

    def tools(self, role: Role, memory: Memory) -> Sequence[Tool]:  # noqa: ARG002
        """The tool, under a name that no provider takes if that is the fault."""
        pen = Pen(memory, self.fault)
        return [evolve(pen, spec=evolve(pen.spec, name="a pen"))] if self.fault == "name" else [pen]


@pytest.mark.parametrize(
    ("fault", "promise", "error"),
    [
        ("raises", HarnessSuite.test_tools_raise_only_what_a_model_can_read, KeyError),
        ("writes", HarnessSuite.test_searching_changes_nothing, AssertionError),
        ("name", HarnessSuite.test_tools_are_well_described, AssertionError),
    ],
)
def test_harnesses(tmp_path: Path, fault: str, promise: Any, error: type[Exception]) -> None:
    """A tool with one fault fails the test of that promise, and without it passes."""

    class Faulty(HarnessSuite):
        def make(self) -> PenHarness:
            return PenHarness(fault)

    class Sound(HarnessSuite):
        def make(self) -> PenHarness:
            return PenHarness("")

    promise(Sound(), tmp_path / "sound")
    with pytest.raises(error):
        promise(Faulty(), tmp_path / "faulty")


@frozen
class Oracle:
    """A searcher that cheats."""

    async def answer(self, memory: Memory, question: Question) -> Answer:  # noqa: ARG002
        """The gold, with a citation of nothing."""
        return Answer(question.gold or "unknown", (Citation(f"{ROOT}/session_01.md", (90, 99)),))


def test_searchers(tmp_path: Path) -> None:
    """A searcher that reads the gold, or cites what is not there, is found."""

    class Cheats(SearcherSuite):
        def make(self) -> Oracle:
            return Oracle()

    memory = sample_memory(tmp_path / "memory", "flat")
    with pytest.raises(AssertionError):
        Cheats().test_the_gold_is_not_read(memory)
    with pytest.raises(Exception, match="lines, not 90 to 99"):
        Cheats().test_citations_resolve(memory)


@frozen
class Moody:
    """A model that says something else each time, calls what it was not granted, and counts down."""

    name: str = "moody"
    said: list[int] = field(factory=lambda: [0])

    async def complete(self, request: Request) -> Completion:  # noqa: ARG002
        """Misbehave."""
        self.said[0] += 1
        return Completion(Message("assistant", f"{self.said}"), Usage(output=-1), "tool_calls")


def test_models() -> None:
    """Invalid replies, negative counts and moods are found."""
    moody = Moody()

    class Mine(ModelSuite):
        def make(self) -> Moody:
            return moody

    request = Request((Message("user", "Question: where?"),), "search")
    for promise in (
        ModelSuite.test_replies_are_valid,
        ModelSuite.test_usage_is_not_negative,
        ModelSuite.test_the_same_request_gets_the_same_reply,
    ):
        with pytest.raises(AssertionError):
            promise(Mine(), request)


@frozen
class Twice:
    """A dataset that gives one case twice, with evidence from elsewhere."""

    def load(self, path: Path | None) -> Iterator[Case]:  # noqa: ARG002
        """The same case again."""
        yield Case(CHAT, QUESTIONS)
        yield Case(evolve(RUN, id=CHAT.id), QUESTIONS)


def test_datasets(tmp_path: Path) -> None:
    """Ids given twice, evidence that is nowhere and a path that is ignored are found."""

    class Mine(DatasetSuite):
        def make(self) -> Twice:
            return Twice()

    with pytest.raises(AssertionError):
        Mine().test_ids_are_unique()
    with pytest.raises(AssertionError):
        Mine().test_evidence_is_in_the_stream()
    with pytest.raises(pytest.fail.Exception):
        Mine().test_a_missing_path_is_named(tmp_path)


@frozen
class Generous:
    """A judge that gives too much, and more for what is wrong."""

    async def judge(self, question: Question, answer: Answer, memory: Memory | None) -> Verdict:  # noqa: ARG002
        """Out of bounds."""
        return Verdict({"wrong": 7.0 + (answer.text != f"{question.gold}.")})


def test_judges(tmp_path: Path) -> None:
    """Scores out of bounds and scores upside down are found."""

    class Mine(JudgeSuite):
        def make(self) -> Any:
            return Generous()

    with pytest.raises(AssertionError):
        Mine().test_scores_are_within_0_and_1(tmp_path)
    with pytest.raises(AssertionError):
        Mine().test_the_gold_is_no_worse_than_nothing()


@frozen
class Result:
    """Of a job."""

    id: str
    value: Any
    error: str | None = None


@frozen
class Eager:
    """A runner that runs everything before it yields, lets errors out, and forgets the last job."""

    def run(self, jobs: Sequence[Job]) -> Generator[JobResult]:
        """Run them all."""
        results = [Result(job.id, job.run()) for job in jobs]
        yield from results[:-1]


def test_runners(tmp_path: Path) -> None:
    """A lost result, an error that gets out, and jobs begun in vain are found."""

    class Mine(RunnerSuite):
        def make(self) -> Eager:
            return Eager()

    with pytest.raises(AssertionError):
        Mine().test_every_job_has_one_result()
    with pytest.raises(Exception, match="what went wrong"):
        Mine().test_errors_are_text()
    with pytest.raises(AssertionError):
        Mine().test_closing_early_finishes_what_was_started(tmp_path)


def test_memkit_itself_needs_no_test_libraries() -> None:
    """Importing memkit, its plugins and the scripted model loads neither pytest nor hypothesis."""
    code = (
        "import sys, memkit; memkit.build_registry(); import memkit.testing.scripted\n"
        "print(sorted({'pytest', 'hypothesis', 'jsonschema'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (0, "", "[]\n") == (done.returncode, done.stderr, done.stdout)
