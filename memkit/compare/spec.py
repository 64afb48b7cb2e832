"""What to compare: the records of `compare.yaml`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Literal, TypeAlias, get_args

from attrs import field, frozen, validators

from memkit.compare.amounts import read_seconds, read_tokens
from memkit.converter import make_converter

EXTRACTIVE = "memkit/extractive"
LONG_CONTEXT_TOKENS = 26_000
"""Budget of the long-context row: that of the reading view (ledger paper, B = 26,000 tokens)."""
NAME_CHARACTERS = 64
LABEL_CHARACTERS = 80

Factor: TypeAlias = Literal["builder", "harness", "searcher", "search_model", "manage_model"]
FACTORS: tuple[Factor, ...] = get_args(Factor)
PLACES: dict[Factor, str] = {
    "builder": "factors.builder",
    "harness": "factors.harness",
    "searcher": "factors.searcher",
    "search_model": "factors.models.search",
    "manage_model": "factors.models.manage",
}
"""Where a spec has the values of each factor."""
NullRow: TypeAlias = Literal["closed-book", "long-context", "oracle"]
NULL_ROWS: tuple[NullRow, ...] = ("closed-book", "long-context", "oracle")
Held: TypeAlias = Literal[
    Factor, "sandbox", "judge", "answer_prompt", "questions", "served_tokens", "effective_k", "evidence_tokens_max"
]
"""What the audit of comparability looks at (`memkit.compare.audit`)."""
HELD: tuple[Held, ...] = get_args(Held)
NOT_IN_ID = frozenset({"budget", "errors", "gate", "hold_equal"})
"""Keys that bound a run or pass a verdict on it: with others it is the same run, and goes on where it stopped."""


def _filled(_: Any, attribute: Any, value: Sequence[Any]) -> None:
    if not value:
        raise ValueError(f"{attribute.name} is empty; name at least one")


def _distinct(_: Any, attribute: Any, value: Sequence[Any]) -> None:
    if twice := [one for number, one in enumerate(value) if one in value[:number]]:
        raise ValueError(f"{attribute.name} names {twice[0]!r} twice; leave one out")


def _file_name(_: Any, __: Any, value: str) -> None:
    # ASCII, since the name is part of a directory's.
    fits = value.isascii() and value.replace(".", "").replace("_", "").replace("-", "").isalnum() and value[0].isalnum()
    if not fits or len(value) > NAME_CHARACTERS:
        mend = f"use letters, digits and . _ - (at most {NAME_CHARACTERS}, no sign first)"
        raise ValueError(f"name {value!r} cannot name a run; {mend}")


def _label(_: Any, __: Any, value: str) -> None:
    # Labels stand in tables, one line a row.
    if not value.isprintable() or len(value) > LABEL_CHARACTERS:
        raise ValueError(f"label {value!r} is none; use up to {LABEL_CHARACTERS} printable characters")


@frozen
class Use:
    """A part by name, its options (`with`), and the label it gets in tables."""

    use: str
    options: dict[str, Any] = field(factory=dict, metadata={"key": "with"})
    label: str = field(default="", validator=_label)

    @classmethod
    def from_text(cls, text: str) -> Use:
        """The name alone."""
        return cls(text)

    @property
    def shown(self) -> str:
        """The label, or the name with its options."""
        options = ",".join(f"{key}={value}" for key, value in self.options.items())
        return self.label or (f"{self.use}[{options}]" if options else self.use)


@frozen
class Select:
    """Which of the data to take; nothing given means all. `limit` questions a stream are drawn with `seed`."""

    streams: list[str] | None = None
    categories: list[str] | None = None
    limit: int | None = field(default=None, validator=validators.optional(validators.ge(1)))
    seed: int = 0


@frozen
class Data:
    """A dataset by name; `path` is relative to the working directory."""

    use: str
    path: str | None = None
    options: dict[str, Any] = field(factory=dict, metadata={"key": "with"})
    select: Select = Select()

    @classmethod
    def from_text(cls, text: str) -> Data:
        """`name` or `name:path`."""
        name, _, path = text.partition(":")
        return cls(name, path or None)


@frozen
class Models:
    """The models of each role; more than one is a factor."""

    search: list[Use] = field(factory=lambda: [Use(EXTRACTIVE)], validator=_filled)
    manage: list[Use] = field(factory=lambda: [Use(EXTRACTIVE)], validator=_filled)


@frozen
class Factors:
    """What varies: an arm takes one of each."""

    builder: list[Use] = field(validator=_filled)
    harness: list[Use] = field(validator=_filled)
    searcher: list[Use] = field(factory=lambda: [Use("agent")], validator=_filled)
    models: Models = Models()


@frozen
class Matrix:
    """Combinations, each a map of factor to label: those to take (all, when none is named), less those to leave out."""

    include: list[dict[str, str]] = field(factory=list)
    exclude: list[dict[str, str]] = field(factory=list)


@frozen
class Contrast:
    """Compare the arms that differ in this factor alone."""

    vary: Factor


@frozen
class Metrics:
    """What is tested (`primary`) and what else the tables show."""

    primary: str = "evidence_recall"
    also: list[str] = field(factory=lambda: ["evidence_all", "answer_f1", "citation_recall"])


@frozen
class Gate:
    """A promise: on `metric` no other arm is worse than `vs`, a label or `baseline`, by more than `noninferior`."""

    metric: str
    noninferior: float = field(validator=validators.ge(0))
    vs: str = "baseline"


@frozen
class Budget:
    """What a run may take before it stops: US dollars, tokens of all calls (`20M`), time (`2h`; held in seconds)."""

    usd: float | None = field(default=None, validator=validators.optional(validators.gt(0)))
    tokens: int | None = field(
        default=None, validator=validators.optional(validators.gt(0)), metadata={"read": read_tokens}
    )
    wall: float | None = field(
        default=None, validator=validators.optional(validators.gt(0)), metadata={"read": read_seconds}
    )


@frozen
class Errors:
    """How often a unit that failed for want of a provider or a worker is tried again in a run, and the share of
    answers that may fail before the run stops; None is never.
    """

    retry: int = field(default=2, validator=validators.ge(0))
    max_rate: float | None = field(
        default=None, validator=validators.optional(validators.and_(validators.ge(0), validators.le(1)))
    )


@frozen
class Nulls:
    """The rows every matrix gets for free; they use the first of the search models."""

    rows: list[NullRow] = field(factory=lambda: list(NULL_ROWS), validator=_distinct)
    long_context_tokens: int = field(default=LONG_CONTEXT_TOKENS, validator=validators.ge(1))


@frozen
class Spec:
    """A whole comparison."""

    data: list[Data] = field(validator=_filled)
    factors: Factors
    schema: Literal[1] = 1
    name: str = field(default="compare", validator=_file_name)
    matrix: Matrix = Matrix()
    attempts: int = field(default=1, validator=validators.ge(1))
    seed: int = 0
    cluster: Literal["stream"] = "stream"
    """The unit of resampling. One stream builds one memory, so its questions are not independent."""
    baseline: dict[str, str] = field(factory=dict)
    contrasts: list[Contrast] = field(factory=list)
    metrics: Metrics = Metrics()
    judge: Use = Use("token-f1")
    judge_model: Use = Use(EXTRACTIVE)
    nulls: Nulls = Nulls()
    hold_equal: list[Held] = field(factory=list, validator=_distinct)
    budget: Budget = Budget()
    errors: Errors = Errors()
    gate: list[Gate] = field(factory=list)

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical spec less `NOT_IN_ID`, in hex: one for one comparison, however it was written."""
        data = make_converter().unstructure(self)
        return digest_of({key: value for key, value in data.items() if key not in NOT_IN_ID})


def digest_of(data: Any) -> str:
    """SHA-256 in hex of the canonical JSON of `data`."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return sha256(text.encode()).hexdigest()
