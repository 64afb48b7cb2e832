"""Each prompt as a model gets it. UPDATE_GOLDEN=1 writes them anew; the difference is to be read, as code is."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from difflib import ndiff
from pathlib import Path

import pytest

from memkit import compose, find_locators

GOLDEN = Path(__file__).parent / "golden"
ROLES = Path(__file__).resolve().parents[2] / "prompts" / "roles"
HARNESSES = ("center", "center+bm25", "shell")
KEEP = {"preserve": "blocks/keep-every-fact", "condense": "blocks/keep-what-matters"}
SOURCES = {"s": "S", "b": "B", "m": "M", "step": "step"}
SEARCHES = ("search", "search-flat", "search-foldered")
TOOL = re.compile(r"`(?:view|grep|toc|section_read|create|str_replace|insert|delete|rename|bash|bm25_\w+|max_results)`")


def source(kind: str = "s") -> str:
    """The section on one form of locators."""
    return compose(f"blocks/source-{kind}").text


def manage(harness: str = "center", kind: str = "s") -> str:
    """The prompt of the curating agent."""
    return compose("roles/manage", tools=compose(f"harnesses/{harness}-manage").text, source=source(kind)).text


def organize(mode: str, harness: str = "center") -> str:
    """The prompt of the organizing agent."""
    tools = compose(f"harnesses/{harness}-manage").text
    return compose("roles/organize", tools=tools, keep=compose(KEEP[mode]).text, source=source()).text


def search(role: str, harness: str) -> str:
    """The prompt of the search agent."""
    return compose(f"roles/{role}", tools=compose(f"harnesses/{harness}").text).text


def composed() -> Iterator[tuple[str, str]]:
    """Name -> text of every prompt, with each of the values it can be given in earnest."""
    for harness in HARNESSES:
        yield f"manage.{harness}", manage(harness)
        for role in SEARCHES:
            yield f"{role}.{harness}", search(role, harness)
    yield "search-chunks", search("search-chunks", "chunks")
    for kind in SOURCES:
        yield f"manage.center.{kind}", manage(kind=kind)
    for mode in KEEP:
        yield f"organize.{mode}", organize(mode)
    yield "summarize", compose("roles/summarize", words="1,000", source=source()).text
    for name, values in TURNS.items():
        yield name, compose(f"roles/{name}", **values).text


TURNS = {
    "fold": {},
    "closed-book": {},
    "in-context": {},
    "in-context-computed": {},
    "annotate": {},
    "compile": {"most": "4"},
    "ask": {"question": "Where?", "options": "(a) Here\n(b) There\n"},
    "ask-in-context": {"context": "[S1T1] Ana: Hi.", "question": "Where?", "options": ""},
    "ask-in-context-computed": {
        "context": "[step 0] look\nYou see a sink.",
        "computed": "[1] count = 7",
        "question": "How often?",
        "options": "",
    },
    "ask-annotate": {"context": "[step 0] look\nYou see a sink.", "steps": "0"},
    "ask-compile": {"catalogue": "{}", "question": "How often?"},
    "ask-manage": {"part": "session 3, chunk 1 of 2"},
    "ask-organize": {"number": "2", "passes": "5"},
    "ask-fold": {},
    "ask-summarize": {"summary": "", "context": "[S1T1] Ana: Hi."},
    "context": {"context": "[S1T1] Ana: Hi."},
    "program": {"characters": "6,000"},
    "ask-program": {"catalogue": "{}", "question": "How often?"},
    "repair-program": {"output": "[exit code 1]\nNameError"},
    "judge-correctness": {"question": "Where?", "gold": "Here", "answer": "There."},
    "judge-yes-no": {
        "task": "Put two bars of soap into the bin.",
        "question": "Where?",
        "gold": "Here",
        "answer": "There.",
    },
    "judge-attribution": {"question": "Where?", "answer": "There.", "cited": "[FILE NOT FOUND]"},
}
PROMPTS = dict(composed())


@pytest.mark.parametrize("name", PROMPTS)
def test_golden(name: str) -> None:
    """A prompt changes only when somebody means it to."""
    file = GOLDEN / f"{name}.md"
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.mkdir(exist_ok=True)
        file.write_text(PROMPTS[name] + "\n", encoding="utf-8")

    assert file.read_text(encoding="utf-8") == PROMPTS[name] + "\n"


def test_every_role_has_a_golden() -> None:
    """No prompt of a role is left out, and no golden is left over."""
    roles = {file.stem for file in ROLES.glob("*.md")}

    assert roles == {name.partition(".")[0] for name in PROMPTS}
    assert set(PROMPTS) == {file.name.removesuffix(".md") for file in GOLDEN.glob("*.md")}


@pytest.mark.parametrize("harness", HARNESSES)
def test_preserve_and_condense_differ_in_one_paragraph(harness: str) -> None:
    """All that the two organizers are told differently is what to keep."""
    lines = [organize(mode, harness).split("\n") for mode in KEEP]
    changed = [line for line in ndiff(*lines) if line[:2] in ("- ", "+ ")]

    assert [f"- {compose(KEEP['preserve']).text}", f"+ {compose(KEEP['condense']).text}"] == changed


@pytest.mark.parametrize("role", [*SEARCHES, "manage"])
def test_harnesses_differ_in_the_tool_section_alone(role: str) -> None:
    """Without the section on its tools a prompt is byte for byte the same for every harness, and names no tool."""
    suffix = "-manage" if role == "manage" else ""
    rests = set()
    for harness in HARNESSES:
        before, guide, after = PROMPTS[f"{role}.{harness}"].partition(compose(f"harnesses/{harness}{suffix}").text)
        assert guide.startswith("## Your tools\n")
        rests.add((before, after))

    ((before, after),) = rests
    assert [] == TOOL.findall(before + after)


@pytest.mark.parametrize(("kind", "form"), SOURCES.items())
def test_sources_show_their_own_form(kind: str, form: str) -> None:
    """The section on locators has examples of the stream's own form and of no other."""
    assert {form} == {locator.kind for locator in find_locators(source(kind))}


def test_words_are_ours(shared: Path) -> None:
    """No run of eight words comes from the papers that set the rules."""
    taken: set[tuple[str, ...]] = set()
    for paper in (shared / "papers").glob("*.txt"):
        taken |= runs(paper.read_text(encoding="utf-8"))

    assert set() == taken & set().union(*map(runs, PROMPTS.values()))


def runs(text: str) -> set[tuple[str, ...]]:
    """Every run of eight words."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    return {tuple(words[place : place + 8]) for place in range(len(words) - 7)}
