"""What a store kept, worked out by hand."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given

from memkit import Case, Kept, Memory, Registry, Share, build_memory, build_registry, measure_kept
from memkit.locators import Locator
from memkit.records import Session, Step, Turn
from memkit.testing.strategies import sessions

CHAT = Session(
    1,
    (
        Turn(Locator("S", 1, 1), "Ana", "I paid 640 euros in Halle on May 3. The kiln weighs 185 kilos."),
        Turn(Locator("S", 1, 2), "Bo", "And Łukasz drove? I'd have said 12:30 at Leipzig.", "a van in Halle"),
        Turn(Locator("S", 1, 3), "Ana", "Yes. [S9T9] is no turn of ours."),
    ),
    "2024-05-08T13:56",
)
HEAD = "---\nname: {}\ndescription: About it\n---\n\n"


def test_shares() -> None:
    """Distinct locators, numbers, dates and names, each counted once."""
    files = {"/memories/ana.md": HEAD.format("ana") + "Ana paid 640 euros on 3 May 2024 in Halle [S1T1] [S1T1].\n"}

    assert Kept(
        locators=Share(1, 3),
        numbers=Share(1, 3),  # 640, not 185 and 12:30; the days of dates are none
        dates=Share(1, 2),  # 3 May, not 8 May 2024
        names=Share(2, 5),  # Ana and Halle, not Bo, Łukasz and Leipzig
        frontmatter=(),
        references=(),
    ) == measure_kept([CHAT], files)


@pytest.mark.parametrize(
    ("said", "stored", "kept"),
    [
        ("on May 3", "on 3 May 2024", 1),
        ("on 3 May 2024", "on May 3", 0),
        ("on 3rd of May", "2024-05-03", 1),
        ("May 2024", "2024-05-09", 1),
        ("Sep 9, 2023", "9 September 2023", 1),
        ("2024-05-03T10:00+02:00", "3 May 2024", 1),
        ("3 May", "4 May", 0),
    ],
)
def test_dates(said: str, stored: str, kept: int) -> None:
    """A date is kept in whatever form, when it says no less."""
    unit = Session(1, (Turn(Locator("S", 1, 1), "ana", said),))

    assert Share(kept, 1) == measure_kept([unit], {"/memories/a.md": stored}).dates


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("We met. Then Bo left", 1),
        ("Then we left", 0),
        ("I said: No, I'd rather not", 0),
        ("on Monday in May", 1),
        ("Ngọc's aunt and Ngọc", 1),
        ("that is Ngọc's, I think", 1),
        ('"Sure", said Ana', 1),
    ],
)
def test_names(said: str, names: int) -> None:
    """Capitals at the beginning of a sentence, and weekdays, make no name."""
    unit = Session(1, (Turn(Locator("S", 1, 1), "", said),))

    assert names == measure_kept([unit], {}).names.total


def test_a_trajectory() -> None:
    """Steps have locators and details too."""
    step = Step(Locator("step", 0, 14), 14, "go to desk 2", "You see Pencil 3.")
    files = {"/memories/a.md": HEAD.format("a") + "Pencil 3 was there [step 14]\n"}

    assert (Share(1, 1), Share(1, 2)) == (
        measure_kept([step], files).locators,
        measure_kept([step], files).numbers,
    )


def test_nothing_to_keep() -> None:
    """A share of nothing is no number."""
    assert measure_kept([], {}).numbers.share is None
    assert Share(1, 4).share == 0.25


DEFECTS = {
    "no frontmatter": ("text\n", "/memories/a.md has no frontmatter"),
    "another name": (HEAD.format("b"), "/memories/a.md is named 'b' in its frontmatter, not 'a'"),
    "no description": ("---\nname: a\n---\n", "/memories/a.md has no description"),
    "not closed": (
        "---\nname: a\n",
        "/memories/a.md: The frontmatter is not closed by a --- line within 16384 bytes.",
    ),
    "none": (HEAD.format("a"), ""),
}


@pytest.mark.parametrize(("text", "fault"), DEFECTS.values(), ids=DEFECTS)
def test_frontmatter_defects(text: str, fault: str) -> None:
    """Each defect is a sentence that names the file."""
    assert ((fault,) if fault else ()) == measure_kept([], {"/memories/a.md": text}).frontmatter


REFERENCES = {
    "see /memories/b.md.": (),
    "see /memories/b.md > ## Music, and more": (),
    "see `/memories/b.md > # B > ## Music`": (),
    "see /memories/c.md": ("/memories/a.md refers to /memories/c.md, which does not exist",),
    "[/memories/c.md:L3] and /memories/c.md": ("/memories/a.md refers to /memories/c.md, which does not exist",),
    "see /memories/b.md > ## Sport": (
        "/memories/a.md refers to /memories/b.md > ## Sport, and there is no such section",
    ),
}


@pytest.mark.parametrize(("body", "faults"), REFERENCES.items())
def test_references(body: str, faults: tuple[str, ...]) -> None:
    """A reference to a file or section that is not there is a defect."""
    files = {
        "/memories/a.md": HEAD.format("a") + body + "\n",
        "/memories/b.md": HEAD.format("b") + "# B\n\n## Music\n\nJazz.\n",
    }

    assert faults == measure_kept([], files).references


@given(sessions())
def test_a_transcript_keeps_every_locator(unit: Session) -> None:
    """Any text is measured, and the share is one of the whole."""
    text = "\n".join(f"{turn.locator} {turn.speaker}: {turn.text}" for turn in unit.turns)
    kept = measure_kept([unit], {"/memories/a.md": text})

    assert len({turn.locator for turn in unit.turns}) == kept.locators.kept == kept.locators.total
    assert all(0 <= share.kept <= share.total for share in (kept.numbers, kept.dates, kept.names))


@pytest.fixture(scope="module")
def registry() -> Registry:
    """Every part that is installed."""
    return build_registry()


def kept_by(registry: Registry, path: Path, mode: str) -> Kept:
    """What the reorganized demo keeps."""
    case: Case = next(iter(registry.make("dataset", "demo").load(None)))
    chosen = {"model": registry.make("model", "memkit/extractive"), "harness": registry.make("harness", "center")}
    builder = registry.make("builder", "reorganized", {"mode": mode}, **chosen)
    memory = Memory.create(path / mode, builder="reorganized", plugin="tests 0", layout=builder.layout)
    asyncio.run(build_memory(memory, builder, case.stream.units))
    return measure_kept(memory.archive.units(), {path: memory.store.read(path) for path in memory.store.paths()})


def test_condense_keeps_less_than_preserve(registry: Registry, tmp_path: Path) -> None:
    """On the demo, the one paragraph makes the difference that the paper found."""
    preserve, condense = (kept_by(registry, tmp_path, mode) for mode in ("preserve", "condense"))

    assert (177, 177) == (preserve.locators.kept, preserve.locators.total)
    assert 1 == preserve.numbers.share == preserve.dates.share == preserve.names.share
    assert condense.locators.kept < 0.7 * preserve.locators.kept
    assert condense.names.kept < preserve.names.kept
    assert ((), (), (), ()) == (preserve.frontmatter, preserve.references, condense.frontmatter, condense.references)
