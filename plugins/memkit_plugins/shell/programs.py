"""The searcher `code`: a model writes a program over the event ledger and the log, and the sandbox runs it.

The free-form alternative to a plan (ledger paper, appendix L): one repair, and what the program prints goes to the
reader beside the view.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

import msgspec
from attrs import define, evolve, field, frozen

from memkit import (
    RENDER_CHARACTERS,
    ROOT,
    VIEW_TOKENS,
    Answer,
    Catalogue,
    ContentRefused,
    Memory,
    Message,
    Model,
    Question,
    Reading,
    Request,
    Row,
    Step,
    Store,
    ToolError,
    Usage,
    compose,
    extract_rows,
    load_rows,
    read_answer,
)
from memkit_plugins.shell.bubblewrap import SandboxFailed
from memkit_plugins.shell.caps import DEFAULT_CAPS, Caps
from memkit_plugins.shell.copies import Copy
from memkit_plugins.shell.process import Outcome
from memkit_plugins.shell.sandbox import Box

REPLY_TOKENS = 4_096
PART_CHARACTERS = 500_000
"""Of a data file: a store holds no file of many megabytes."""
PYTHON = "python3 -B program.py"
"""The host's own Python, which the sandbox has with /usr."""
DATA = """import glob, json

def _read(kind):
    return [json.loads(line) for part in sorted(glob.glob(kind + "-*.jsonl")) for line in open(part, encoding="utf-8")]

rows, steps = _read("rows"), _read("steps")
"""
_BLOCK = re.compile(r"```(?:python|py)?[^\n]*\n(.*?)\n?```", re.DOTALL | re.IGNORECASE)


@define(eq=False)
class CodeSearcher:
    """A model's program computes, the same model reads. `level` is that of the sandbox its programs run in."""

    model: Model
    box: Box
    budget: int = VIEW_TOKENS
    caps: Caps = DEFAULT_CAPS
    _last: tuple[Memory, int, Log] | None = field(default=None, init=False, repr=False)

    @property
    def level(self) -> str:
        """The protection in force."""
        return self.box.level

    async def answer(self, memory: Memory, question: Question) -> Answer:
        """At most three calls: the program, its repair, the answer. Raises ModelError, and ToolError for a sandbox."""
        log = self._log(memory)
        computed, usages = await self._compute(log, question)
        view = log.reading.view(question.text, budget=self.budget)
        answer = await read_answer(self.model, question, view.text, shown=view.whole, computed=computed)
        return evolve(answer, effort=evolve(answer.effort, model_calls=(*usages, *answer.effort.model_calls)))

    def _log(self, memory: Memory) -> Log:
        """That of the last memory asked about is kept while it stays as it is."""
        units = len(memory.archive)
        if self._last is None or self._last[0] is not memory or self._last[1] != units:
            self._last = (memory, units, Log.of(memory))
        return self._last[2]

    async def _compute(self, log: Log, question: Question) -> tuple[str, tuple[Usage, ...]]:
        """What the program printed, or its repair; empty where there is none, or neither did its work."""
        system = compose("roles/program", characters=f"{RENDER_CHARACTERS:,}").text
        ask = compose("roles/ask-program", catalogue=log.catalogue.to_json(), question=question.text).text
        messages = [Message("system", system), Message("user", ask)]
        usages: list[Usage] = []
        for _ in range(2):
            request = Request(tuple(messages), "search", max_output_tokens=REPLY_TOKENS, temperature=0.0)
            try:
                reply = await self.model.complete(request)
            except ContentRefused:
                break
            usages.append(reply.usage)
            program = read_program(reply.message.content)
            if program is None:
                break
            outcome = await self._run(log, program)
            if outcome.exit_code == 0 and outcome.output.strip():
                return outcome.output.strip()[:RENDER_CHARACTERS], tuple(usages)
            again = compose("roles/repair-program", output=_report(outcome)[:RENDER_CHARACTERS]).text
            messages += [reply.message, Message("user", again)]
        return "", tuple(usages)

    async def _run(self, log: Log, program: str) -> Outcome:
        stop = Event()
        try:
            return await asyncio.to_thread(self._run_now, log, program, stop)
        except asyncio.CancelledError:
            stop.set()
            raise

    def _run_now(self, log: Log, program: str, stop: Event) -> Outcome:
        with TemporaryDirectory() as folder:
            copy = Copy.of(_folder_of(Path(folder) / ROOT[1:], log, program))
            try:
                return self.box.run(copy, PYTHON, writable=False, caps=self.caps, stop=stop)
            except (SandboxFailed, OSError) as error:
                raise ToolError("the sandbox did not run the program") from error
            finally:
                copy.remove()


@frozen
class Log:
    """A memory's steps with their rows, and what questions about them need."""

    steps: tuple[Step, ...] = field(repr=False)
    rows: tuple[Row, ...] = field(repr=False)
    catalogue: Catalogue = field(repr=False)
    reading: Reading = field(repr=False)

    @classmethod
    def of(cls, memory: Memory) -> Log:
        """The ledger where the memory has one, else the program's rows."""
        units = tuple(memory.archive.units())
        rows = tuple(load_rows(memory.path)) or tuple(extract_rows(units))
        return cls(tuple(unit for unit in units if isinstance(unit, Step)), rows, Catalogue.of(rows), Reading(units))


def read_program(reply: str) -> str | None:
    """The program in a reply: its first code block, or all of it where it has none and begins like one."""
    if block := _BLOCK.search(reply):
        return block[1]
    return reply if reply.lstrip().startswith(("from data import", "import ")) else None


def _folder_of(root: Path, log: Log, program: str) -> Store:
    """The program with its data, as the store that a copy is made of."""
    store = Store.make(root)
    store.write(f"{ROOT}/program.py", _encodable(program))
    store.write(f"{ROOT}/data.py", DATA)
    steps = ({"step": step.index, "action": step.action, "observation": step.observation} for step in log.steps)
    for kind, records in (("rows", map(msgspec.to_builtins, log.rows)), ("steps", steps)):
        for number, part in enumerate(_parts(json.dumps(record) + "\n" for record in records)):
            store.write(f"{ROOT}/{kind}-{number:05}.jsonl", part)
    return store


def _parts(lines: Iterable[str]) -> Iterator[str]:
    part: list[str] = []
    size = 0
    for line in lines:
        part.append(line)
        size += len(line)
        if size > PART_CHARACTERS:
            yield "".join(part)
            part, size = [], 0
    if part:
        yield "".join(part)


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode().replace("\0", "")


def _report(outcome: Outcome) -> str:
    ended = f"stopped: {outcome.stopped}" if outcome.stopped else f"exit code {outcome.exit_code}"
    return f"[{ended}]\n{outcome.output.strip() or 'It printed nothing.'}"
