"""Templates E1 to E8 over embodied logs: actions by their leading verb, parsed from the raw action strings.

E1 and E2 (one count at three bounds, and in another wording), the first event (E3), the most visited location (E6)
and the four answer formats are in the ledger paper's text; its table of templates was lost, so E4, E5, E7 and E8
are our own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from episodes import Event, Log
from item import INTEGER, NAME, NAMES, STEP, STEPS, Item, bounds, listed, only_most

DOMAIN = "Embodied AI"
_GO = "go to "


def embodied_items(log: Log) -> Iterator[Item]:
    """The questions of one log; a template without its event in the whole log is left out."""
    quarter, half, last = bounds(len(log.events))
    going = [event for event in log.events if event.action.startswith(_GO)]
    for number, bound in enumerate((quarter, half, last), 1):
        text = f"Up to and including step {bound}, how many times did the agent perform a 'go to' action? {INTEGER}"
        plan = f'count where tool: "go to" in [, {bound}]'
        yield _item(log, "E1", f"-b{number}", text, _until(going, bound), plan=plan)
    text = f"Up to and including step {last}, how often did the agent perform a 'go to' action? {INTEGER}"
    yield _item(log, "E2", "", text, going, plan=f'count where tool: "go to" in [, {last}]')
    yield from _opening(log)
    yield from _visits(log, going, half, last)
    yield from _examining(log, half)
    yield from _closing(log, last)


def _opening(log: Log) -> Iterator[Item]:
    opened = [event for event in log.events if event.action.startswith("open ")]
    if opened:
        place = opened[0].action.removeprefix("open ")
        found = [event for event in opened if event.action == f"open {place}"]
        text = f"At which step did the agent open {place} for the first time? {STEP}"
        plan = f'first where tool: "open" and target: "{place}"'
        yield _item(log, "E3", "", text, found[:1], answer=str(found[0].step), plan=plan)


def _visits(log: Log, going: list[Event], half: int, last: int) -> Iterator[Item]:
    places = Counter(event.action.removeprefix(_GO) for event in going)
    if not places:
        return
    # The name that a longer one begins with, where there is one: `drawer 1` beside `drawer 10`.
    inner = [place for place in sorted(places) if any(other != place and other.startswith(place) for other in places)]
    place = inner[0] if inner else places.most_common(1)[0][0]
    visits = [event for event in going if event.action == _GO + place]
    before = _until(visits, half)
    if before:
        text = f"Up to and including step {half}, at which step did the agent last go to {place}? {STEP}"
        plan = f'last where tool: "go to" and target: "{place}" in [, {half}]'
        yield _item(log, "E4", "", text, before[-1:], answer=str(before[-1].step), plan=plan)
    most = only_most(places)
    if most is not None:
        text = f"Up to and including step {last}, which location did the agent go to most often? {NAME}"
        plan = f'group by target where tool: "go to" in [, {last}]'
        yield _item(log, "E6", "", text, going, answer=most, plan=plan)
    text = f"Up to and including step {last}, how many times did the agent visit {place}? {INTEGER}"
    plan = f'count where tool: "go to" and target: "{place}" in [, {last}]'
    yield _item(log, "E7", "", text, visits, plan=plan)


def _examining(log: Log, half: int) -> Iterator[Item]:
    examined = [event for event in log.events if event.action.split()[0] == "examine"]
    if examined:
        found = _until(examined, half)
        text = f"At which steps up to and including step {half} did the agent examine something? {STEPS}"
        plan = f'list where tool: "examine" in [, {half}]'
        yield _item(log, "E5", "", text, found, answer=listed([event.step for event in found]), plan=plan)


def _closing(log: Log, last: int) -> Iterator[Item]:
    closed = [event for event in log.events if event.action.startswith("close ")]
    if closed:
        places = dict.fromkeys(event.action.removeprefix("close ") for event in closed)
        text = f"Which receptacles did the agent close up to and including step {last}? {NAMES}"
        plan = f'group by target where tool: "close" in [, {last}]'
        yield _item(log, "E8", "", text, closed, answer=listed(list(places)), plan=plan)


def _until(events: Iterable[Event], bound: int) -> list[Event]:
    return [event for event in events if event.step <= bound]


def _item(
    log: Log, template: str, variant: str, text: str, events: Iterable[Event], *, plan: str, answer: str | None = None
) -> Item:
    """An item whose answer is the number of events, unless another is given."""
    steps = tuple(event.step for event in events)
    return Item(
        f"{log.id}-{template}{variant}", template, text, str(len(steps)) if answer is None else answer, steps, plan
    )
