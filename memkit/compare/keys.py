"""Content keys: equal for equal inputs, code and prompts, and unlike otherwise.

A key does not know labels, the order of arms, who runs the work, or where it is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from attrs import field, frozen

import memkit
from memkit.compare.arms import Arm
from memkit.compare.spec import Spec, Use, digest_of
from memkit.converter import make_converter
from memkit.models import GATEWAY
from memkit.records import Question, Stream
from memkit.registry import Kind, Registry

NOT_IN_KEYS = frozenset({"cli", "lint", "report", "runs", "testing"})
"""Folders of memkit's code that cannot change what an answer is."""


@frozen
class Keys:
    """The keys of one comparison; what several share is worked out once."""

    registry: Registry
    spec: Spec
    _known: dict[Any, Any] = field(factory=dict, init=False, repr=False, eq=False)

    def build(self, arm: Arm, stream: Stream) -> str:
        """Of the memory that `arm` reads; empty for a null row."""
        if arm.null:
            return ""
        use = arm.factors
        wants = self.registry.part("builder", use["builder"].use).wants
        return digest_of(
            {
                "stage": "build",
                "stream": self._stream(stream),
                "builder": self._part("builder", use["builder"]),
                "model": self._model(use["manage_model"]) if "model" in wants else None,
                "harness": self._part("harness", use["harness"]) if "harness" in wants else None,
                "sandbox": arm.sandbox if "harness" in wants else "",
                "core": self._core(),
            }
        )

    def searcher(self, arm: Arm, stream: Stream) -> str:
        """Of whatever answers the questions of `arm` about `stream`."""
        model = arm.factors.get("search_model") or self.spec.factors.models.search[0]
        reads: dict[str, Any]
        if arm.null:  # reads the stream itself
            tokens = self.spec.nulls.long_context_tokens if arm.null == "long-context" else None
            reads = {"null": arm.null, "tokens": tokens, "stream": self._stream(stream)}
        else:
            reads = {kind: self._part(kind, arm.factors[kind]) for kind in _SEARCH}
            reads["build"] = self.build(arm, stream)
            if arm.sandbox:  # what commands may do differs, so levels are never mixed
                reads["sandbox"] = arm.sandbox
        return digest_of({"stage": "answer", **reads, "model": self._model(model), "core": self._core()})

    def judge(self) -> str:
        """Of the judge, and where it asks a model of that and of the prompts."""
        return str(self._once("judge", self._judge))

    def _judge(self) -> str:
        judge = self._part("judge", self.spec.judge)
        if "model" not in self.registry.part("judge", self.spec.judge.use).wants:
            return digest_of(judge)
        return digest_of([judge, self._model(self.spec.judge_model), self._core()])

    def _stream(self, stream: Stream) -> str:
        return str(self._once(("stream", stream.id), lambda: digest_of(_converter.unstructure(stream))))

    def _model(self, use: Use) -> Any:
        """A provider's model is its name and options, and the code of the part that reaches it."""
        if use.use in self.registry.names("model"):
            return self._part("model", use)
        return [use.use, use.options, self._part("model", Use(GATEWAY))]

    def _core(self) -> str:
        return str(self._once("core", core_digest))

    def _part(self, kind: Kind, use: Use) -> Any:
        return self._once((kind, use.use, digest_of(use.options)), lambda: part_identity(self.registry, kind, use))

    def _once(self, key: Any, make: Callable[[], Any]) -> Any:
        if key not in self._known:
            self._known[key] = make()
        return self._known[key]


_SEARCH: tuple[Kind, ...] = ("harness", "searcher")
_converter = make_converter()


def answer_key(searcher: str, question: Question, attempt: int, *, marked: bool) -> str:
    """Of one answer. `marked` says that the answerer is shown the evidence, which is then part of the key."""
    evidence = [str(locator) for locator in question.evidence] if marked else None
    return digest_of([searcher, question.id, question.text, question.options, attempt, evidence])


def judge_key(answer: str, question: Question, judge: str) -> str:
    """Of judging one answer: the gold and the judge are part of it."""
    evidence = [str(locator) for locator in question.evidence]
    return digest_of([answer, question.gold, question.answerable, question.category, evidence, judge])


def part_identity(registry: Registry, kind: Kind, use: Use) -> dict[str, Any]:
    """What makes two uses of a part the same: name, options, version, code and fingerprint; not the label."""
    part = registry.part(kind, use.use)
    code = code_digest(part.factory)
    identity: dict[str, Any] = {"name": use.use, "with": use.options, "version": part.source.version, "code": code}
    if fingerprint := getattr(part.factory, "fingerprint", None):
        identity["fingerprint"] = fingerprint()
    return identity


def code_digest(factory: Any) -> str:
    """Of the package that holds `factory`, or of its module where that stands alone; what has no file is empty."""
    while isinstance(factory, partial):
        factory = factory.func
    module = import_module(getattr(factory, "__module__", None) or type(factory).__module__)
    if not hasattr(module, "__path__") and "." in module.__name__:
        module = import_module(module.__name__.rpartition(".")[0])
    if not getattr(module, "__file__", None):
        return ""
    file = Path(str(module.__file__))
    return _digest_files(file.parent, file.parent.rglob("*.py") if hasattr(module, "__path__") else [file])


def core_digest() -> str:
    """Of memkit's own code and prompts."""
    root, prompts = Path(memkit.__file__).parent, prompts_dir()
    code = [file for file in root.rglob("*.py") if file.relative_to(root).parts[0] not in NOT_IN_KEYS]
    return _digest_files(root, code) + _digest_files(prompts, prompts.rglob("*.md"))


def prompts_dir() -> Path:
    """Where the prompt files are: in the wheel, or in the checkout."""
    root = Path(memkit.__file__).parent
    packed = root / "_prompts"
    return packed if packed.is_dir() else root.parent / "prompts"


def _digest_files(root: Path, files: Iterable[Path]) -> str:
    digest = sha256()
    for name, file in sorted((file.relative_to(root).as_posix(), file) for file in files):
        digest.update(f"{name}\0".encode() + sha256(file.read_bytes()).digest())
    return digest.hexdigest()
