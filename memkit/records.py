"""The records that pass between the parts of memkit: frozen, slotted, JSON-friendly.

Times are aware ISO 8601 datetimes where the source gives an offset, and local ISO datetimes or
dates (as the source wrote them) where it does not; `None` means the source does not say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from attrs import field, frozen

from memkit.locators import Locator

Role: TypeAlias = Literal["manage", "search", "execute"]
Asker: TypeAlias = Literal[Role, "judge"]
"""Who calls a model: a role of the memory, or a judge, whose calls are no cost of the memory."""
Layout: TypeAlias = Literal["tree", "flat", "foldered", "chunks", "ledger", "none"]
"""How a builder shapes what it makes: written notes in folders, transcripts at the root, transcripts in folders,
indexed chunk files; or no store, but an event ledger, or nothing beside the archive.
"""
STORELESS: frozenset[Layout] = frozenset(("ledger", "none"))
"""The layouts without files to read."""


# The stream.


@frozen
class Turn:
    """One message. `caption` describes a picture shared with it and is part of what was said."""

    locator: Locator
    speaker: str
    text: str
    caption: str = ""
    time: str | None = None


@frozen
class Session:
    """A sitting of a conversation: the unit a builder ingests. `number` counts from 1."""

    number: int
    turns: tuple[Turn, ...]
    time: str | None = None

    @property
    def speakers(self) -> tuple[str, ...]:
        """Speakers in order of first appearance."""
        return tuple(dict.fromkeys(turn.speaker for turn in self.turns))

    @property
    def locators(self) -> tuple[Locator, ...]:
        """Where its turns are."""
        return tuple(turn.locator for turn in self.turns)


@frozen
class Step:
    """One action of an agent and what came back; `index` is the source's own step number."""

    locator: Locator
    index: int
    action: str
    observation: str

    @property
    def locators(self) -> tuple[Locator, ...]:
        """Where it is."""
        return (self.locator,)


Unit: TypeAlias = Session | Step
"""What `Builder.ingest` takes, one at a time."""


@frozen
class Conversation:
    """A stream of sessions. `id` is unique within its dataset."""

    id: str
    sessions: tuple[Session, ...]

    @property
    def task(self) -> str:
        """None: people talk without one."""
        return ""

    @property
    def units(self) -> tuple[Session, ...]:
        """What a builder ingests, one at a time."""
        return self.sessions


@frozen
class Trajectory:
    """A stream of steps towards one task; `success` is the environment's own verdict."""

    id: str
    task: str
    steps: tuple[Step, ...]
    success: bool | None = None

    @property
    def units(self) -> tuple[Step, ...]:
        """What a builder ingests, one at a time."""
        return self.steps


Stream: TypeAlias = Conversation | Trajectory


@frozen
class Question:
    """A question with its gold. `options` are whole option texts, `gold` one of them or free text.

    `evidence` are the locators a human marked; `answerable` is False for questions whose premise
    the stream does not support. `category` is the dataset's own label. `defect` says in a sentence, with the locators
    that show it, how the stream contradicts the gold; empty for a gold that stands. `load` is how many events
    contribute to the answer, where that is known.
    """

    id: str
    text: str
    gold: str | None = None
    options: tuple[str, ...] = ()
    evidence: tuple[Locator, ...] = ()
    category: str = ""
    answerable: bool = True
    defect: str = ""
    load: int | None = None


@frozen
class Case:
    """A stream and the questions asked of it: what a dataset yields.

    `notes` report what the dataset could not use, one sentence each.
    """

    stream: Stream
    questions: tuple[Question, ...]
    notes: tuple[str, ...] = ()


# Talking to a model.


@frozen
class ToolCall:
    """A call as the model wrote it: `arguments` is the raw JSON text, valid or not."""

    id: str
    name: str
    arguments: str


@frozen
class Message:
    """One chat message. `tool_call_id` names the call a `tool` message answers.

    `opaque` is what the provider wants back unread with its own message, such as signed thinking.
    """

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    is_error: bool = False
    opaque: str = field(default="", repr=False)


@frozen
class ToolSpec:
    """A tool as a model sees it; `parameters` is a JSON Schema object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@frozen
class Request:
    """One model call. `role` says which part of memory asks, `repeat` how often the very same was asked before
    because the reply was of no use; providers see neither.
    """

    messages: tuple[Message, ...]
    role: Asker
    tools: tuple[ToolSpec, ...] = ()
    max_output_tokens: int = 8192
    temperature: float | None = None
    seed: int | None = None
    repeat: int = 0


@frozen
class Usage:
    """Tokens of one or more calls in four classes; `reasoning` is the part of `output` spent thinking.

    `None` is "the provider did not say", never zero; a sum with an unknown part is unknown.
    """

    uncached: int | None = 0
    cache_read: int | None = 0
    cache_write: int | None = 0
    output: int | None = 0
    reasoning: int | None = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            uncached=_sum(self.uncached, other.uncached),
            cache_read=_sum(self.cache_read, other.cache_read),
            cache_write=_sum(self.cache_write, other.cache_write),
            output=_sum(self.output, other.output),
            reasoning=_sum(self.reasoning, other.reasoning),
        )

    @property
    def input(self) -> int | None:
        """Every input token, cached or not."""
        return _sum(_sum(self.uncached, self.cache_read), self.cache_write)


def _sum(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


@frozen
class Completion:
    """A model's reply and what it took; `retries` counts failed attempts before it."""

    message: Message
    usage: Usage
    finish: Literal["stop", "tool_calls", "length"] = "stop"
    retries: int = 0


# Answers.


@frozen
class Citation:
    """A place in the store an answer rests on: a file, a line range (1-based, inclusive), or a section.

    `section` is the heading path from the outermost heading, without the `#` marks.
    """

    path: str
    lines: tuple[int, int] | None = None
    section: tuple[str, ...] = ()


End: TypeAlias = Literal["answered", "empty", "rounds", "calls", "tokens", "refused"]
"""How a loop ended: with an answer, two empty replies, at a named limit, or refused by the provider."""


@frozen
class Effort:
    """What a loop took: the usage of each model call in order, and what the tools gave.

    `tool_tokens` counts every tool result, `served_tokens` those that carry a locator, and `served`
    are the locators that were delivered whole, in order and once each.
    """

    model_calls: tuple[Usage, ...] = ()
    tool_calls: int = 0
    tool_errors: int = 0
    tool_tokens: int = 0
    served_tokens: int = 0
    served: tuple[Locator, ...] = ()
    seconds: float = 0.0

    @property
    def rounds(self) -> int:
        """Model replies, the retry of an empty one included."""
        return len(self.model_calls)

    @property
    def usage(self) -> Usage:
        """The sum over all model calls."""
        return sum(self.model_calls, Usage())


@frozen
class Finding:
    """What was computed from the event ledger for an answer.

    `query` is it in the query language, `value` the result as text, `rows` the places of the rows it rests on, in
    order. `groups` are the rows of each group, where it has groups. `status` tells a value from a zero that was
    verified (every term occurs in the log, no row of the scope fits), from one asked with fewer filters
    (`relaxed`), and from a query whose terms the log does not have (`ungrounded`).
    """

    query: str
    status: Literal["computed", "relaxed", "verified zero", "ungrounded"]
    value: str = ""
    rows: tuple[Locator, ...] = ()
    groups: Mapping[str, tuple[Locator, ...]] = field(factory=dict)


@frozen
class Answer:
    """What a searcher returns: (a, C) = pi'(M, q; H').

    `findings` are what it had computed, and `load` how many events that matched (ledger paper, section 4); None where
    nothing was computed.
    """

    text: str
    citations: tuple[Citation, ...] = ()
    end: End = "answered"
    effort: Effort = Effort()
    findings: tuple[Finding, ...] = ()
    load: int | None = None
    messages: tuple[Message, ...] = field(default=(), repr=False)


@frozen
class Verdict:
    """A judge's scores in [0, 1] by name; a score that does not apply is absent."""

    scores: Mapping[str, float]
    note: str = ""


# Building and acting.


@frozen
class Check:
    """One thing that was looked at on this machine: what was found, and how to mend it where it is not `ok`."""

    name: str
    ok: bool
    found: str
    mend: str = ""


@frozen
class Receipt:
    """What became of a write: never silence. `reason` is empty when all was stored."""

    status: Literal["stored", "partial", "rejected"]
    locators: tuple[Locator, ...] = ()
    reason: str = ""


@frozen
class Observation:
    """What an environment shows: text, the admissible actions, and whether the episode is over."""

    text: str
    actions: tuple[str, ...] = ()
    done: bool = False
    success: bool | None = None


@frozen
class Episode:
    """One attempt at a task: its trajectory with the environment's verdict, and what it took."""

    trajectory: Trajectory
    effort: Effort = Effort()
