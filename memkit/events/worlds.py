"""Text worlds such as ALFWorld: what an action does to which objects, and what the world's sentences state of it.

The list of actions that a log offers after an observation is no part of what happened and is never read.
"""

from __future__ import annotations

import re

from attrs import field, mutable

from memkit.events.call import Call
from memkit.events.reading import Reading, cut, first_line

AGENT = "agent"
EMPTY = "empty"
"""The inventory that holds nothing."""
INVENTORY = "inventory"
"""Where a thing is that the agent carries."""
OFFERS = ("The current available actions are:", "AVAILABLE ACTIONS:", "Admissible actions:", "Available actions:")
"""What begins the list of actions a log offers."""

_THING = r"([A-Za-z][\w'-]*(?: [\w'-]+){0,4}?)"
_ACTIONS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (act, re.compile(pattern, re.ASCII))
    for act, pattern in (
        ("go to", rf"go to {_THING}"),
        ("go", r"go (north|south|east|west|up|down|northeast|northwest|southeast|southwest)"),
        ("take", rf"take {_THING} from {_THING}"),
        ("take", rf"take {_THING}"),
        ("pick up", rf"pick up {_THING}(?: from {_THING})?"),
        ("move", rf"move {_THING} to {_THING}"),
        ("put", rf"put {_THING} (?:in/on|into|onto|in|on) {_THING}"),
        ("drop", rf"drop {_THING}"),
        ("clean", rf"clean {_THING} with {_THING}"),
        ("heat", rf"heat {_THING} with {_THING}"),
        ("cool", rf"cool {_THING} with {_THING}"),
        ("slice", rf"slice {_THING} with {_THING}"),
        ("open", rf"open {_THING}"),
        ("close", rf"close {_THING}"),
        ("toggle", rf"toggle {_THING}"),
        ("use", rf"use {_THING}"),
        ("examine", rf"examine {_THING}"),
        ("look", r"look(?: around)?"),
        ("inventory", r"inventory"),
        ("help", r"help"),
    )
)
_VERBS = frozenset(act.split()[0] for act, _ in _ACTIONS)
_ACTION_CHARACTERS = 200

_NOTHING = "Nothing happens"
_REFUSALS = re.compile(
    r"(?:You can't|You cannot|You can not|You don't|You need|I don't|That's not|You already|Invalid)\b"
)
_CARRYING = re.compile(r"You are carrying: ?([^\n]{1,2000}?)\.(?:\s|$)")
_ARTICLE = re.compile(r"(?:and )?(?:an?|the|some) ")
_SENTENCES: tuple[tuple[frozenset[str], re.Pattern[str]], ...] = tuple(
    (frozenset(acts), re.compile(pattern, re.ASCII))
    for acts, pattern in (
        ({"take", "pick up"}, rf"You (?:pick up|take) the {_THING}(?: from the {_THING})?\."),
        (
            {"put", "move", "drop"},
            rf"You (?:put|move|place|drop) the {_THING} (?:in/on|into|onto|to|in|on) the {_THING}\.",
        ),
        ({"open"}, rf"You open the {_THING}\."),
        ({"close"}, rf"You close the {_THING}\."),
        ({"clean"}, rf"You clean the {_THING} using the {_THING}\."),
        ({"heat"}, rf"You heat the {_THING} using the {_THING}\."),
        ({"cool"}, rf"You cool the {_THING} using the {_THING}\."),
        ({"slice"}, rf"You slic(?:e|ed) the {_THING} (?:with|using) the {_THING}\."),
        ({"use", "toggle"}, rf"You turn (on|off) the {_THING}\."),
        ({"go to"}, r"You arrive at [^.\n]{1,80}\."),
        ({"go to"}, rf"(?:On|In) the {_THING}, you see\b"),
        ({"go to"}, rf"The {_THING} is (?:open|closed)\."),
        ({"look"}, r"You are (?:in the middle|facing)\b[^\n]{0,200}"),
        ({"inventory"}, r"You are (?:not carrying anything\.|carrying: ?[^\n]{0,200})"),
        ({"help"}, r"Available commands:"),
        (
            {"examine"},
            r"(?:(?:On|In) the |The |This is a |There's nothing special about )[^\n]{0,200}",
        ),
    )
)
_STATES = {"open": "open", "close": "closed", "clean": "clean", "heat": "hot", "cool": "cool", "slice": "sliced"}


def read_action(text: str) -> Call | None:
    """An action of a text world; None when `text` is none."""
    if len(text) > _ACTION_CHARACTERS or text.split(" ", 1)[0] not in _VERBS:
        return None
    for act, pattern in _ACTIONS:
        if match := pattern.fullmatch(text):
            things = tuple(thing for thing in match.groups() if thing)
            names = ("object", "place") if len(things) > 1 else ("target",)
            arguments = dict(zip(names, things, strict=False))
            return Call(act.split()[0], act, arguments, targets=things, form="world")
    return None


def without_offers(observation: str) -> str:
    """The observation up to the list of actions it offers."""
    for sign in OFFERS:
        at = observation.find(sign)
        if at >= 0 and (at == 0 or observation[at - 1] == "\n"):
            return observation[:at]
    return observation


@mutable
class World:
    """What the agent carries, as far as the log has said: by what it took and put, and by its inventory listings."""

    held: dict[str, None] = field(factory=dict)

    def read(self, call: Call, observation: str) -> Reading:
        """The outcome that the world's sentence states, and what it changes."""
        text = without_offers(observation).strip()
        if text.startswith(_NOTHING):
            return Reading("no effect", first_line(text))
        if call.act == "inventory":
            self._listed(text)
        for acts, pattern in _SENTENCES:
            if call.act in acts and (match := pattern.match(text)):
                return Reading("success", cut(match[0]), self._changes(call, match))
        if _REFUSALS.match(text):
            return Reading("failure", first_line(text))
        return Reading()

    def _listed(self, text: str) -> None:
        if text.startswith("You are not carrying anything"):
            self.held = {}
        elif match := _CARRYING.match(text):
            things = (_ARTICLE.sub("", thing.strip(), count=1) for thing in match[1].split(","))
            self.held = dict.fromkeys(thing for thing in things if thing)

    def _changes(self, call: Call, match: re.Match[str]) -> tuple[tuple[str, str], ...]:
        match call.act:
            case "take" | "pick up":
                self.held[match[1]] = None
                return (f"{match[1]}.location", INVENTORY), self._inventory()
            case "put" | "move" | "drop":
                self.held.pop(match[1], None)
                return (f"{match[1]}.location", match[2]), self._inventory()
            case "go to":
                return ((f"{AGENT}.location", call.targets[0]),)
            case "use" | "toggle":
                return ((f"{match[2]}.state", match[1]),)
            case act if act in _STATES:
                return ((f"{match[1]}.state", _STATES[act]),)
            case _:
                return ()

    def _inventory(self) -> tuple[str, str]:
        return f"{AGENT}.{INVENTORY}", ", ".join(self.held) or EMPTY
