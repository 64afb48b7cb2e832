"""Jobs of the embedded manager: generators that yield the calls of a round and are sent their results.

Since a model keeps nothing between two requests, each one runs the job again over the rounds since its last survey
of the store. What it needs of earlier rounds is in the store by then.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TypeAlias

from memkit import Message
from memkit_plugins.extractive.filing import PEOPLE, Filing, person_path
from memkit_plugins.extractive.hands import Call, Hands
from memkit_plugins.extractive.probing import write_arguments

Results: TypeAlias = Mapping[tuple[str, str], Message]
"""(tool, arguments) -> what came back; a result that was dropped from the request is absent."""
Job: TypeAlias = Generator[list[Call], Results, str]
"""Yields the calls of each round, and returns what was done."""
Placing: TypeAlias = Generator[list[Call], Results, list[Call]]

DROPPED = "[dropped to make room: "
"""Begins what a loop puts in place of a result."""


def replay(messages: Sequence[Message], survey: Call, start: Callable[[frozenset[str]], Job]) -> list[Call] | str:
    """The job's next calls, or its end. It is started with the arguments of the calls before its last survey."""
    rounds = [message.tool_calls for message in messages if message.tool_calls]
    opening = key_of(survey)
    opened = [n for n, calls in enumerate(rounds) if opening in {(call.name, call.arguments) for call in calls}]
    first = opened[-1] if opened else len(rounds)
    given = {
        message.tool_call_id: message
        for message in messages
        if message.role == "tool" and not message.content.startswith(DROPPED)
    }
    job = start(frozenset(call.arguments for calls in rounds[:first] for call in calls))
    try:
        calls = next(job)
        for made in rounds[first:]:
            calls = job.send({(call.name, call.arguments): given[call.id] for call in made if call.id in given})
    except StopIteration as end:
        return str(end.value)
    return calls


def key_of(call: Call) -> tuple[str, str]:
    """The call as results are kept under it."""
    return call[0], write_arguments(call[1])


def result_of(results: Results, call: Call) -> Message | None:
    """What came back from a call; None when it is not known."""
    return results.get(key_of(call))


def place(hands: Hands, filings: Sequence[Filing]) -> Placing:
    """Ask which files are there; then the calls that make them or add to them, new topics being pointed to.

    A file of which nothing is known, since the answer was dropped, is left out.
    """
    counts = [hands.count(filing.path) for filing in filings]
    results = yield counts
    there = {
        filing.path: hands.counted(result_of(results, count))
        for filing, count in zip(filings, counts, strict=True)
        if result_of(results, count)
    }
    for topic in filings:
        if there.get(topic.path, 0) is None and not topic.path.startswith(PEOPLE):
            homes = set(map(person_path, topic.speakers))
            for person in filings:
                if person.path in homes:
                    person.lines.append(f"- On {topic.about.lower()}: see {topic.path}")
    return [_edit(hands, filing, there[filing.path]) for filing in filings if filing.path in there]


def _edit(hands: Hands, filing: Filing, lines: int | None) -> Call:
    return hands.create(filing.path, filing.text) if lines is None else hands.append(filing.path, lines, filing.block)
