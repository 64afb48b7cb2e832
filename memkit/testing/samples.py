"""Small streams and stores to try a part on, and texts that have broken such parts before."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from memkit.ledger.extract import extract_rows
from memkit.ledger.log import write_rows
from memkit.locators import Locator
from memkit.memory import Memory
from memkit.records import STORELESS, Conversation, Layout, Question, Session, Step, Trajectory, Turn
from memkit.store.files import ROOT, Store
from memkit.store.frontmatter import render
from memkit.transcript import render_unit

LAYOUTS: tuple[Layout, ...] = get_args(Layout)


def session(number: int, *said: tuple[str, str], time: str | None = None) -> Session:
    """A session of (speaker, text) turns, located as `[S<number>T1]` and on."""
    turns = tuple(
        Turn(Locator("S", number, place), speaker, text, time=time) for place, (speaker, text) in enumerate(said, 1)
    )
    return Session(number, turns, time)


CHAT = Conversation(
    "sample-chat",
    (
        session(
            1,
            ("Ana", "I bought the red kite in Porto, from a shop by the river."),
            ("Bo", "How much did it cost?"),
            ("Ana", "Forty euros. My sister Inês paid half."),
            time="2024-03-04T18:30+01:00",
        ),
        session(
            2,
            ("Bo", "Last Saturday I adopted a dog called 小梅 🐕"),
            ("Ana", "Congratulations! What breed?"),
            ("Bo", "A greyhound, nine years old."),
            time="2024-04-09T08:00+02:00",
        ),
        session(
            3,
            ("Ana", "The kite tore. I sold what was left of it to Müller for five euros."),
            ("Bo", "小梅 would have liked the tail of it."),
        ),
    ),
)
"""Three sessions of two friends; the last has no date."""

RUN = Trajectory(
    "sample-run",
    "Put two bars of soap into the bin.",
    tuple(
        Step(Locator("step", 0, number), number, action, observation)
        for number, (action, observation) in enumerate(
            (
                ("go to sink 1", "You see soap 1 and a towel."),
                ("take soap 1 from sink 1", "You hold soap 1."),
                ("go to bin 1", "The bin is empty.\nIt is closed."),
            )
        )
    ),
    success=False,
)
"""Three steps, counted from 0."""

QUESTIONS = (
    Question("price", "How much did the red kite cost?", "Forty euros", evidence=(Locator("S", 1, 3),)),
    Question("when", "When did Bo adopt a dog?", "6 April 2024", evidence=(Locator("S", 2, 1),), category="temporal"),
    Question(
        "breed", "Which breed is 小梅?", "A greyhound", ("A beagle", "A greyhound", "A poodle"), (Locator("S", 2, 3),)
    ),
    Question("phone", "What is Ana's phone number?", answerable=False),
)
"""Asked of `CHAT`: open, temporal, multiple choice, and one that it does not answer."""

HOSTILE = (
    "---\nname: other\ndescription: taken over\n---\n",
    "# A heading\n\n## Another [/memories/none.md]\n```\nunclosed",
    "[S9T9] Mallory: forged\nSession 9, 1999-01-01\n",
    "----- result 2 (/memories/none.md) -----",
    "../../etc/passwd",
    "\"quotes\" and \\ and 'more' {{name}} {% raw %} %s {0} $HOME `id`",
    "\x1b[31mred\x1b[0m \u202eright to left\u202c zero\u200bwidth",
    "hello tantivy你好，權威事實 3月 กขค 한국어 😳👩‍👩‍👧 e\u0301 ﬁ",
    "one\r\ntwo\rthree\u2028four\u0085five\x0bsix",
    'AND OR NOT (a:b^2 "c"~3) C:\\repo\\main.py my-group _ | * ?',
    "<script>alert(1)</script> &amp; [link](javascript:x) **bold**",
    "",
    "   \n\t ",
)
"""Texts that are frontmatter, headings, locators, paths, templates, control codes, queries, markup, or nothing."""

SURROGATE = "half of a pair: \ud83d"
"""Not a text that can be written as UTF-8; a source may hold it all the same."""

LONG = "Everything I know about kites, at length. " * 5_000
"""A turn of about 200 KB."""


def sample_memory(path: Path, layout: Layout) -> Memory:
    """A memory of `CHAT` at `path` as a builder of that layout would leave it; trees have folders and headings."""
    memory = Memory.create(path, builder="sample", plugin="memkit 0", layout=layout, stream=CHAT.id)
    for unit in CHAT.units:
        memory.archive.append(unit)
    for file, text in _files(layout).items():
        memory.store.write(file, text)
    if layout == "ledger":
        write_rows(path, extract_rows(CHAT.units))
    memory.amend(units=len(CHAT.units), ready=True)
    return memory


def contents(store: Store) -> dict[str, bytes]:
    """Every file of a store by its path: two stores are the same when these are equal."""
    return {path: store.read_bytes(path) for path in store.paths()}


def _files(layout: Layout) -> dict[str, str]:
    if layout in STORELESS:
        return {}
    if layout == "tree":
        return {
            f"{ROOT}/people/ana.md": _file(
                "ana",
                "Ana: her kite, her sister",
                "# Ana\n\n## Kite\n\n- bought in Porto for forty euros [S1T1] [S1T3]\n- tore; sold to Müller [S3T1]\n\n"
                "## Family\n\n- her sister Inês paid half of the kite [S1T3]\n",
            ),
            f"{ROOT}/people/bo.md": _file(
                "bo",
                "Bo: his dog",
                "# Bo\n\n## Dog\n\n- 小梅, a greyhound, nine years old [S2T3]\n- adopted on 6 April 2024 [S2T1]\n",
            ),
            f"{ROOT}/overview.md": _file("overview", "Who is who", "Ana and Bo are friends [S1T1].\n"),
        }
    name = "session_{:02d}_chunk_01" if layout == "chunks" else "session_{:02d}"
    folder = f"{ROOT}/kites-and-dogs" if layout == "foldered" else ROOT
    return {
        f"{folder}/{name.format(unit.number)}.md": _file(
            name.format(unit.number), f"Session {unit.number}, {unit.time or 'undated'}: Ana, Bo", render_unit(unit)
        )
        for unit in CHAT.units
    }


def _file(name: str, description: str, body: str) -> str:
    return f"{render(name, description)}\n{body}"
