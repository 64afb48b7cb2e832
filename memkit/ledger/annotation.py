"""Annotations: what a model says of a step that its log does not state in a fixed form, and what of it is believed.

A model that has not seen any question supplies act, targets, outcome with a quote, and changes (ledger paper,
section 5 and appendix C). What the program read from the log stands; an annotation adds to it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import field, frozen
from msgspec.structs import replace

from memkit.ledger.row import OUTCOMES, Change, Outcome, Row
from memkit.records import Step

QUOTE_CHARACTERS = 4
"""A quote must have so many characters once normalised (ledger paper, appendix C)."""
LOOSE_QUOTE_CHARACTERS = 8
"""The same for a quote that is found only when its letters and digits alone are compared (appendix C)."""
MAX_TARGETS = 64
MAX_CHANGES = 64
"""More from one step is a model that went astray; the first ones are kept."""
CUT = ("…", "...")
"""What a model ends a list or a name with that it did not write out."""


@frozen
class Annotation:
    """What a model says of one step, each part of it as yet unchecked."""

    step: int
    act: str = ""
    targets: tuple[str, ...] = ()
    outcome: Outcome = "unknown"
    quote: str = ""
    changes: Mapping[str, str] = field(factory=dict)


def read_annotations(reply: str) -> tuple[Annotation, ...]:
    """The annotations that a reply holds: every JSON object with a step number, whatever stands around it.

    A reply that was cut gives its whole objects. A part of the wrong type is left out of its annotation, and of
    two annotations of one step the first counts.
    """
    found: dict[int, Annotation] = {}
    for data in _objects(reply):
        step = data.get("step")
        if type(step) is int and step not in found:
            found[step] = _annotation(step, data)
    return tuple(found.values())


def annotate(rows: Sequence[Row], steps: Mapping[int, Step], annotations: Iterable[Annotation]) -> list[Row]:
    """The rows with what is believed of the annotations; a row without one stays as it is, and none is dropped."""
    by_step = {annotation.step: annotation for annotation in annotations}
    return [
        believe(row, steps[row.step], by_step[row.step]) if row.step in by_step and row.step in steps else row
        for row in rows
    ]


def believe(row: Row, step: Step, annotation: Annotation) -> Row:
    """`row` with what of its annotation holds.

    An outcome needs its quote in the observation. Changes need a successful outcome; each is marked by whether its
    value occurs in the step. What the program found is kept: its outcome, its act, its targets first, its changes.
    """
    outcome, quote, by = row.outcome, row.quote, row.by
    if outcome == "unknown" and annotation.outcome != "unknown" and quoted(annotation.quote, step.observation):
        outcome, quote, by = annotation.outcome, annotation.quote, "model"
    changes = row.changes
    if outcome == "success":
        known = {change.name for change in changes}
        text = _plain(f"{step.action}\n{step.observation}")
        changes += tuple(
            Change(name, value, verified=bool(_plain(value)) and _plain(value) in text)
            for name, value in annotation.changes.items()
            if name not in known
        )
    return replace(
        row,
        act=row.act or annotation.act,
        targets=_restored(row.targets, annotation.targets),
        outcome=outcome,
        quote=quote,
        by=by,
        changes=changes[:MAX_CHANGES],
    )


def quoted(quote: str, observation: str) -> bool:
    """Whether the observation holds the quote, as it stands or, for a longer one, by its letters and digits."""
    plain = _plain(quote)
    if len(plain) >= QUOTE_CHARACTERS and plain in _plain(observation):
        return True
    loose = _loose(quote)
    return len(loose) >= LOOSE_QUOTE_CHARACTERS and loose in _loose(observation)


def holds(row: Row, step: Step) -> str:
    """Why a row does not stand by the step it is of: its action or its quote; empty when it does."""
    if row.action != _writable(step.action):
        return "its step's action is another"
    source = _writable(step.observation)
    if row.quote and not (row.quote in source or row.quote in row.action or quoted(row.quote, source)):
        return "its step does not say what it quotes"
    return ""


def _writable(text: str) -> str:
    """The text as a ledger can hold it."""
    return _SURROGATE.sub("\ufffd", text)


def _restored(found: tuple[str, ...], said: tuple[str, ...]) -> tuple[str, ...]:
    """The program's targets and the model's further ones. A name that the model cut stands for the whole one."""
    merged = dict.fromkeys(found)
    for target in said:
        stem = target.removesuffix(CUT[0]).removesuffix(CUT[1]).strip()
        whole = [name for name in found if name.startswith(stem)] if stem != target else []
        if stem and not whole and not any(name.casefold() == stem.casefold() for name in found):
            merged[stem] = None
    return tuple(merged)[:MAX_TARGETS]


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Every whole JSON object of the text that no other one holds, but for the lists and objects they come in."""
    decoder = json.JSONDecoder(strict=False)
    place = text.find("{")
    while place >= 0:
        try:
            data, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            yield from _within(data)
        place = text.find("{", end)


def _within(data: Any) -> Iterator[dict[str, Any]]:
    if isinstance(data, dict) and "step" in data:
        yield data
    elif isinstance(data, dict):
        for value in data.values():
            if isinstance(value, list):
                yield from (one for one in value if isinstance(one, dict) and "step" in one)


def _annotation(step: int, data: Mapping[str, Any]) -> Annotation:
    targets, changes = data.get("targets"), data.get("changes")
    outcome = data.get("outcome")
    return Annotation(
        step,
        _text(data.get("act")),
        tuple(filter(None, map(_text, targets))) if isinstance(targets, list) else (),
        outcome if outcome in OUTCOMES else "unknown",
        _text(data.get("quote")),
        {name: _text(value) for name, value in changes.items() if _text(value) and "." in name}
        if isinstance(changes, dict)
        else {},
    )


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    return value.strip() if isinstance(value, str) else ""


_SPACES = re.compile(r"\s+")
_SURROGATE = re.compile("[\ud800-\udfff]")


def _plain(text: str) -> str:
    return _SPACES.sub(" ", unicodedata.normalize("NFKC", text)).strip().casefold()


def _loose(text: str) -> str:
    return "".join(filter(str.isalnum, _plain(text)))
