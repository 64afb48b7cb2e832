"""The dataset: questions and contexts in one folder."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Literal

from memkit import Case, Conversation, DataError
from memkit_plugins.personamem.contexts import make_sessions, read_contexts
from memkit_plugins.personamem.questions import Asked, read_questions

QUESTIONS = "questions_*.csv"
ID_CHARACTERS = 12
"""Of a context's id, which is 64 hex digits long, in the name of its stream."""


class PersonaMem:
    """PersonaMem: a folder with one questions_*.csv and the contexts as .jsonl beside it, or that CSV file.

    A question is asked at a checkpoint, when a part of its context has been said. `checkpoint: terminal` takes the
    last checkpoint of each context and the questions asked there; `all` takes each checkpoint as a stream of its own.
    A question is a user's message as it is, its options are replies to choose from, its category is the source's
    question_type. An option that the source offers twice is offered once. Nothing is marked as evidence, and nothing
    is dated.
    """

    def __init__(self, *, checkpoint: Literal["terminal", "all"] = "terminal") -> None:
        self.checkpoint = checkpoint

    def load(self, path: Path | None) -> Iterator[Case]:
        """A case for each checkpoint, in the order in which the CSV first names their contexts.

        Contexts that no file holds are noted with the first case. Raises DataError naming file and line.
        """
        file = _questions_file(path)
        asked: dict[str, dict[int, list[Asked]]] = defaultdict(lambda: defaultdict(list))
        for one in read_questions(file):
            asked[one.context][one.end].append(one)
        contexts = read_contexts(sorted(file.parent.glob("*.jsonl")), asked.keys())
        if not contexts:
            raise DataError("no .jsonl file beside it holds a context of its questions; get them", where=str(file))
        notes = _absent(asked, contexts.keys())
        for name in (name for name in asked if name in contexts):
            ends = sorted(asked[name])
            for end in ends if self.checkpoint == "all" else ends[-1:]:
                here = asked[name][end]
                if not 0 < end <= len(contexts[name]):
                    fault = f"the question is asked after message {end}, but its context has {len(contexts[name])}"
                    raise DataError(f"{fault}; get both files anew", where=here[0].where)
                stream = Conversation(f"{name[:ID_CHARACTERS]}-{end}", make_sessions(contexts[name][:end]))
                twice = (
                    f"question {one.question.id} repeats an option, which is offered once"
                    for one in here
                    if one.repeats
                )
                yield Case(stream, tuple(one.question for one in here), (*notes, *twice))
                notes = ()

    def check(self, path: Path | None) -> Iterator[str]:
        """What `load` could not use, a sentence each."""
        for case in self.load(path):
            yield from case.notes


def _questions_file(path: Path | None) -> Path:
    if path is None:
        raise DataError(f"PersonaMem needs a path: the folder that holds its {QUESTIONS} and its contexts (.jsonl)")
    if path.is_file():
        return path
    if not path.is_dir():
        raise DataError("there is no such file or folder; give the folder of PersonaMem's files", where=str(path))
    found = sorted(path.glob(QUESTIONS))
    if len(found) != 1:
        fault = f"this folder holds {len(found)} files {QUESTIONS}; name the one to load"
        raise DataError(fault, where=str(path))
    return found[0]


def _absent(asked: Mapping[str, Mapping[int, list[Asked]]], held: Collection[str]) -> tuple[str, ...]:
    """A sentence about the contexts that are not there, if any."""
    absent = [name for name in asked if name not in held]
    questions = sum(len(here) for name in absent for here in asked[name].values())
    if not absent:
        return ()
    return (f"{len(absent)} of {len(asked)} contexts are in no .jsonl file; their {questions} questions were left out",)
