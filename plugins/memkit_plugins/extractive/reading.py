"""Reading an exchange back: the question, its options, and the lines the tools have shown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import date

from attrs import evolve, frozen

from memkit import ROOT, Message
from memkit_plugins.extractive.commands import read_command

CONTEXT = re.compile(r"\A<log>\n(?P<log>.*)\n</log>\n", re.DOTALL)
COMPUTED = re.compile(r"\A\n<computed>\n(.*?)\n</computed>\n", re.DOTALL)
"""Results stand between the log and the question; a log that holds such a mark cannot end what it is in."""
ASKED = "Question: "
OPTION = re.compile(r"^\(([a-z])\) ", re.MULTILINE)

FOUND = re.compile(rf"^({ROOT}/.*?\.md):(\d+):(.*)$")
NUMBERED = re.compile(r"^ *(\d+)\t(.*)$")
CHUNK = re.compile(rf"^-+ result \d+ \(({ROOT}/.*\.md)\) -+$")
HEADER = re.compile(
    r"^(?:[\d.]+[BKMG]\t|Here's the (?:content|section .*) of )?"
    rf"({ROOT}/.+?\.md)(?:\t.*| — .*| with line numbers:)?$"
)
"""A file in a listing, above its lines, or above its best lines."""
OUTLINE = re.compile(rf"^Here's the outline of ({ROOT}/.*), [\d,]+ lines:$")
HEADING = re.compile(r"^ *(#{1,6}) (.*)  \(L(\d+)-(\d+)\)$")
CLIPPED = re.compile(r" ?\[clipped: [^\]]*\] ?")
TURN = re.compile(
    r"^(?P<locator>\[(?P<step>step )?[^\]\n]+\]) (?(step)|(?P<speaker>[^:\n]{1,60}): )(?P<said>.*)$", re.DOTALL
)
FACT = re.compile(
    r"^- (?:\d{1,2} \w+ \d{4}: )?(?:(?P<speaker>[^:\n]{1,60}): )?(?P<said>.*\S) (?P<locator>\[[^\]\n]+\])$", re.DOTALL
)
"""A turn as the embedded manager files it: dated, by whom, with its source at the end."""
SESSION = re.compile(r"^(?:Session \d+(?:, .*)?|\[\.\.\. .* \.\.\.\])$")
"""What no turn goes on beyond: the heading of a session, or the mark of a gap."""
DAY = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})", re.ASCII)
MORE = re.compile(r"^\[([\d,]+) more matching lines?", re.MULTILINE)


@frozen
class Line:
    """A line of the store as a tool showed it. `number` is None where the tool gives none; `day` dates its session."""

    path: str
    number: int | None
    text: str
    day: date | None = None

    @property
    def turn(self) -> re.Match[str] | None:
        """Locator, speaker (none in a step) and words, where the line is a turn or step, as said or as filed."""
        return TURN.match(self.text) or FACT.match(self.text)


@frozen
class Section:
    """A section of a file by the titles of its headings, outermost first, and its lines, both included."""

    path: str
    titles: tuple[str, ...]
    first: int
    last: int


@frozen
class Probe:
    """One tool call with its result; `total` is how many lines matched, shown or not."""

    tool: str
    arguments: str
    lines: tuple[Line, ...]
    total: int
    failed: bool
    sections: tuple[Section, ...] = ()


@frozen
class Exchange:
    """What a conversation holds so far. `computed` are results over the event ledger, as they were rendered."""

    question: str
    options: tuple[str, ...]
    rounds: tuple[tuple[Probe, ...], ...]
    given: tuple[Line, ...]
    computed: str = ""

    @property
    def lines(self) -> tuple[Line, ...]:
        """Every distinct line seen, in the order first shown, each with its session's day where known."""
        seen: dict[tuple[str, int | str], Line] = {}
        days: dict[str, date] = {}
        for line in (*self.given, *(line for probes in self.rounds for probe in probes for line in probe.lines)):
            key = (line.path, line.number or line.text)
            # One tool may have clipped what another showed whole.
            if key not in seen or len(line.text) > len(seen[key].text):
                seen[key] = line
            if line.day:
                days.setdefault(line.path, line.day)
        days.pop("", None)  # lines given without a file are of many sessions
        return tuple(line if line.day else evolve(line, day=days.get(line.path)) for line in seen.values() if line.text)

    @property
    def sections(self) -> tuple[Section, ...]:
        """The sections of the files whose outlines were read."""
        return tuple(section for probes in self.rounds for probe in probes for section in probe.sections)


def read_exchange(messages: Sequence[Message]) -> Exchange:
    """Parse the user turn and every tool result."""
    asked = next((message.content for message in messages if message.role == "user"), "")
    context = CONTEXT.match(asked)
    rest = asked[context.end() :] if context else asked
    results_given = COMPUTED.match(rest) if context else None
    question, options = _question(rest[results_given.end() :] if results_given else rest)
    results = {message.tool_call_id: message for message in messages if message.role == "tool"}
    rounds = tuple(
        tuple(_probe(call.name, call.arguments, results.get(call.id)) for call in message.tool_calls)
        for message in messages
        if message.tool_calls
    )
    return Exchange(
        question=question,
        options=options,
        rounds=rounds,
        given=tuple(_said_lines("", context["log"].split("\n"))) if context else (),
        computed=results_given[1] if results_given else "",
    )


def _question(text: str) -> tuple[str, tuple[str, ...]]:
    """The question and its options, without the instruction that ends the turn."""
    text = text.strip()
    if not text.startswith(ASKED):
        return text, ()
    body = text.removeprefix(ASKED)
    body = body.rpartition("\n\n")[0] or body
    # The question may hold labels of its own; the options are the last run from (a) on.
    labels: list[re.Match[str]] = []
    for label in OPTION.finditer(body):
        if label[1] == "a":
            labels = [label]
        elif labels and ord(label[1]) == ord("a") + len(labels):
            labels.append(label)
    if len(labels) < 2:
        return body.strip(), ()
    ends = [label.start() for label in labels[1:]] + [len(body)]
    options = tuple(body[label.end() : end].strip() for label, end in zip(labels, ends, strict=True))
    return body[: labels[0].start()].strip(), options


def _probe(tool: str, arguments: str, result: Message | None) -> Probe:
    text = result.content if result else ""
    if tool == "bash" and (meant := read_command(arguments)):
        tool, arguments = meant[0], json.dumps(meant[1], ensure_ascii=False)
    failed = result is None or result.is_error
    if tool == "toc":
        return Probe(tool, arguments, (), 0, failed, tuple(_sections(text)))
    # By tool, since what a store holds may look like the output of another.
    read = {"grep": _found_lines, "bm25_chunk_retrieve": _chunk_lines}.get(tool, _numbered_lines)
    lines = tuple(read(text))
    more = MORE.search(text)
    return Probe(tool, arguments, lines, len(lines) + (int(more[1].replace(",", "")) if more else 0), failed)


def _found_lines(text: str) -> Iterator[Line]:
    for raw in text.split("\n"):
        if found := FOUND.match(raw):
            yield Line(found[1], int(found[2]), _unclipped(found[3]))


def _numbered_lines(text: str) -> Iterator[Line]:
    path, day = "", None
    for raw in text.split("\n"):
        if numbered := NUMBERED.match(raw):
            yield Line(path, int(numbered[1]), _unclipped(numbered[2]), day)
        elif header := HEADER.match(raw):
            path, day = header[1], _day(raw)
            yield Line(path, None, "", day)


def _chunk_lines(text: str) -> Iterator[Line]:
    path, body = "", list[str]()
    for raw in text.split("\n"):
        if chunk := CHUNK.match(raw):
            yield from _said_lines(path, body)
            path, body = chunk[1], []
        elif path:
            body.append(raw)
    yield from _said_lines(path, body)


def _said_lines(path: str, rows: Sequence[str]) -> Iterator[Line]:
    """Turns and steps, the further lines of each joined to its first; other lines as they are."""
    day: date | None = None
    held = ""
    for raw in rows:
        session = SESSION.match(raw)
        if held and not session and not TURN.match(raw):
            held = f"{held} {raw}".rstrip()
            continue
        if held:
            yield Line(path, None, held, day)
        held = ""
        if session:
            day = _day(raw)
        elif TURN.match(raw):
            held = raw
        elif raw.strip():
            yield Line(path, None, raw, day)
    if held:
        yield Line(path, None, held, day)


def _sections(text: str) -> Iterator[Section]:
    outline, *rows = text.split("\n")
    if not (of := OUTLINE.match(outline)):
        return
    above: list[tuple[int, str]] = []
    for heading in filter(None, map(HEADING.match, rows)):
        level = len(heading[1])
        above = [held for held in above if held[0] < level] + [(level, heading[2])]
        yield Section(of[1], tuple(title for _, title in above), int(heading[3]), int(heading[4]))


def _unclipped(text: str) -> str:
    return CLIPPED.sub(" ", text).strip() if "[clipped: " in text else text


def _day(text: str) -> date | None:
    found = DAY.search(text)
    try:
        return date(*map(int, found.groups())) if found else None
    except ValueError:
        return None
