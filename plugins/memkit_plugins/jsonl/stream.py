"""A stream while its lines come in: turns and steps numbered, questions kept until the evidence can be checked."""

from __future__ import annotations

from collections.abc import Iterator

from memkit import Case, Conversation, DataError, Locator, Question, Session, Step, Stream, Trajectory, Turn
from memkit_plugins.jsonl.lines import Record, check_number, check_time, parse_evidence


class OpenStream:
    """Grows by `add`, one record at a time, and ends with `finish`."""

    def __init__(self, record: Record, where: str) -> None:
        self.id: str = record["id"]
        self.where = where
        self.kind: str | None = record.get("kind")
        self.task: str = record.get("task", "")
        self.success: bool | None = record.get("success")
        self.sessions: dict[int, list[Turn]] = {}
        self.steps: list[Step] = []
        self.questions: list[tuple[Question, str]] = []
        self.damaged = False
        """Whether a line was refused, so that evidence may rightly point at what is not here."""

    def add(self, record: Record, where: str, taken: dict[str, str]) -> None:
        """Take in a turn, step or question; `taken` holds the question ids of the file. Raises DataError."""
        if record["type"] == "question":
            self._add_question(record, where, taken)
            return
        kind = "conversation" if record["type"] == "turn" else "trajectory"
        self.kind = self.kind or kind
        if self.kind != kind:
            raise DataError(f"stream {self.id!r} is a {self.kind}, which has no {record['type']}s", where=where)
        if kind == "conversation":
            self._add_turn(record, where)
        else:
            self._add_step(record, where)

    def finish(self) -> Iterator[Case | DataError]:
        """The case; or its faults, should anything have been wrong with it."""
        faults = [] if self.damaged else list(self._dangling())
        if not self.sessions and not self.steps and not self.damaged:
            faults.append(DataError(f"stream {self.id!r} has no turns and no steps; give it some", where=self.where))
        yield from faults
        if not faults and not self.damaged:
            yield Case(self._stream(), tuple(question for question, _ in self.questions))

    def _add_turn(self, record: Record, where: str) -> None:
        last = max(self.sessions, default=1)
        number = check_number(record.get("session", last), "session", where, low=1)
        if self.sessions and number < last:
            raise DataError(f"session {number} comes after session {last}; put sessions in order", where=where)
        time = check_time(record["time"], where) if "time" in record else None
        turns = self.sessions.setdefault(number, [])
        locator = Locator("S", number, len(turns) + 1)
        turns.append(Turn(locator, record["speaker"], record["text"], record.get("caption", ""), time))

    def _add_step(self, record: Record, where: str) -> None:
        last = self.steps[-1].index if self.steps else 0
        index = check_number(record.get("index", last + 1), "index", where, low=0)
        if self.steps and index <= last:
            raise DataError(f"step {index} comes after step {last}; put steps in order, each once", where=where)
        if not record["action"] and not record["observation"]:
            raise DataError(f"step {index} has neither action nor observation; leave it out", where=where)
        self.steps.append(Step(Locator("step", 0, index), index, record["action"], record["observation"]))

    def _add_question(self, record: Record, where: str, taken: dict[str, str]) -> None:
        name = record.get("id", f"{self.id}-q{len(self.questions) + 1}")
        if (earlier := taken.setdefault(name, where)) != where:
            raise DataError(f"question {name!r} stands at {earlier} already; give each an id of its own", where=where)
        gold = str(record["answer"]) if "answer" in record else None
        options = _options(record, gold, where)
        answerable: bool = record.get("answerable", True)
        if not answerable and gold is not None:
            raise DataError("a question with answerable false has no answer; drop one of the two", where=where)
        question = Question(
            name,
            record["question"],
            gold=gold,
            options=options,
            evidence=parse_evidence(record.get("evidence", ()), where),
            category=str(record.get("category", "")),
            answerable=answerable,
            defect=" ".join(record.get("defect", "").split()),
            load=check_number(record["load"], "load", where, low=0) if "load" in record else None,
        )
        self.questions.append((question, where))

    def _dangling(self) -> Iterator[DataError]:
        places = {turn.locator for turns in self.sessions.values() for turn in turns} | {s.locator for s in self.steps}
        for question, where in self.questions:
            for locator in question.evidence:
                if locator not in places:
                    near = f"it has {self._extent(locator)}; turns are counted within their session, from 1"
                    yield DataError(f"evidence {locator} is nowhere in stream {self.id!r}; {near}", where=where)

    def _extent(self, locator: Locator) -> str:
        if self.steps:
            return f"steps {self.steps[0].index} to {self.steps[-1].index}"
        if locator.kind == "S" and locator.group in self.sessions:
            return f"turns 1 to {len(self.sessions[locator.group])} in session {locator.group}"
        return f"sessions {', '.join(map(str, self.sessions))}"

    def _stream(self) -> Stream:
        if self.steps:
            return Trajectory(self.id, self.task, tuple(self.steps), self.success)
        return Conversation(self.id, tuple(_session(number, turns) for number, turns in self.sessions.items()))


def _session(number: int, turns: list[Turn]) -> Session:
    return Session(number, tuple(turns), next((turn.time for turn in turns if turn.time), None))


def _options(record: Record, gold: str | None, where: str) -> tuple[str, ...]:
    options = record.get("options", [])
    if not all(isinstance(option, str) for option in options) or len(set(options)) < len(options) or len(options) == 1:
        raise DataError("options must be two or more different texts", where=where)
    if options and gold is not None and gold not in options:
        raise DataError(f"the answer {gold!r} is none of the options; write one of them out whole", where=where)
    return tuple(options)
