"""`memkit explain`: the way of one question's evidence into each answer of a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from attrs import asdict

from memkit.cli.console import count, say, say_json
from memkit.metrics.reach import FOUND
from memkit.runs.answers import check_arms
from memkit.runs.explain import Explanation, Place, Way, explain
from memkit.runs.open import open_run

TEXT_CHARACTERS = 400
"""Of a text on the page; `--json` has it whole."""
PLACES_SHOWN = 30
"""Of what was served."""
WORDS = {
    "archive": "lost before it began: the evidence is not in the archive",
    "kept": "lost in the build: the store does not hold all of the evidence",
    "reachable": f"lost to the search: not all of the evidence is in the first {FOUND} passages that a search finds",
    "served": "lost in the search: not all of the evidence was served to the model",
    "cited": "lost in the reading: the answer cites something, but not all of the evidence",
    "answered": "lost at the answer: there is none",
    "judged": "lost in the reasoning: answered with all of the evidence, and wrong",
    "": "right",
    None: "not judged",
}
COMPUTED = {
    "declined": "nothing was computed",
    "not grounded": "nothing was computed: the terms of the plan do not occur in the log",
    "wrong event set": "computed from other events than those of the gold",
    "misread": "the very events of the gold were computed, and misread",
}


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("item")
@click.option("--arm", "arms", multiple=True, help="Show this arm only; may be given more than once.")
@click.option("--json", "json_", is_flag=True, help="Print as JSON, every text whole.")
def command(run: Path, item: str, arms: tuple[str, ...], json_: bool) -> int:
    """Say where the question ITEM of RUN was lost: what was asked, there, kept, found, served, answered and cited.

    ITEM is the id of a question, or the beginning of one.
    """
    opened = open_run(run)
    check_arms(opened, arms)
    found = explain(opened, item, arms)
    if json_:
        say_json({"schema": 1, **asdict(found)})
        return 0
    for line in _head(found):
        say(line)
    several = len({way.attempt for way in found.arms}) > 1
    for way in found.arms:
        say("")
        for line in _page(way, several=several):
            say(line)
    return 0


def _head(found: Explanation) -> Iterator[str]:
    about = ", ".join(filter(None, (found.stream, found.category and f"category {found.category}")))
    yield f"{found.question} ({about})"
    yield f"  asked     {_short(found.text)}"
    yield f"  gold      {_short(found.gold or 'none')}{'' if found.answerable else '  (the stream does not tell)'}"
    if found.defect:
        yield f"  defect    {_short(found.defect)}"
    there = [_short(text) for text in found.there.values()]
    yield from _listed("there", there or ["no evidence is marked, or the archive does not have it"])


def _page(way: Way, *, several: bool) -> Iterator[str]:
    attempt = f", attempt {way.attempt}" if several else ""
    yield f"{way.arm}{attempt}: {WORDS.get(way.lost_at, way.lost_at)}"
    if way.computation in COMPUTED:
        yield f"  {COMPUTED[way.computation]}"
    if way.note:
        yield f"  note      {way.note}"
    if way.stored:
        yield from _listed("kept", [line for place in way.places for line in _kept(place)])
    if way.passages:
        yield from _listed("found", [_found(place, way.passages) for place in way.places])
    gold = [f"{place.locator} {'yes' if place.served else 'no'}" for place in way.places]
    others = [one for one in way.served if one not in {place.locator for place in way.places}]
    yield from _listed("served", [*gold, *([_others(others)] if others or not gold else [])])
    yield from _listed("computed", [f"{one.query} -> {_short(one.value)} ({one.status})" for one in way.findings])
    yield f"  answered  {_short(way.answer) or 'nothing'} ({way.status})"
    cited = [f"{one.citation} {one.fault or ' '.join(one.locators) or 'no locator in it'}" for one in way.cited]
    cited += [f"names {' '.join(way.named)}"] if way.named else []
    yield from _listed("cited", [_short(line) for line in cited] or ["nothing"])
    yield from _listed("scores", [", ".join(f"{name} {score:.3f}" for name, score in way.scores.items()) or "none"])


def _listed(name: str, lines: Sequence[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield f"  {'' if number else name:<9} {line}"


def _kept(place: Place) -> list[str]:
    return [f"{place.locator} {one.path}:L{one.line}  {_short(one.text)}" for one in place.kept] or [
        f"{place.locator} in no file"
    ]


def _found(place: Place, passages: int) -> str:
    if place.rank is None:
        return f"{place.locator} no: no passage with it has a term of the question"
    return f"{place.locator} {'yes' if place.found else 'no'}: passage {place.rank} of {passages:,}"


def _others(others: Sequence[str]) -> str:
    shown = " ".join(others[:PLACES_SHOWN])
    rest = f" and {len(others) - PLACES_SHOWN:,} more" if len(others) > PLACES_SHOWN else ""
    return f"and {count(len(others), 'other place')}{': ' if others else ''}{shown}{rest}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= TEXT_CHARACTERS else line[: TEXT_CHARACTERS - 1] + "…"
