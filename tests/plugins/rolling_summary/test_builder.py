"""One summary, replaced as a whole, and never by less than a whole reply."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from memkit import (
    Case,
    Completion,
    ContentRefused,
    Memory,
    Message,
    Receipt,
    Registry,
    Usage,
    build_memory,
    build_registry,
    compose,
    find_locators,
    parse_frontmatter,
    render_unit,
)
from memkit.testing.samples import CHAT
from memkit.testing.scripted import Reply, ScriptedModel
from memkit_plugins.rolling_summary.builder import PATH, RollingSummary


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """An empty memory."""
    return Memory.create(tmp_path / "memory", builder="rolling-summary", plugin="tests 0", layout="tree")


def build(memory: Memory, *script: Reply, words: int = 1_000) -> tuple[list[Receipt], ScriptedModel]:
    """Build the memory of the sample chat, a reply for each session."""
    model, receipts = ScriptedModel(list(script)), list[Receipt]()
    builder = RollingSummary(model, words=words)
    asyncio.run(build_memory(memory, builder, CHAT.units, on_receipt=lambda _, receipt: receipts.append(receipt)))
    return receipts, model


def test_each_reply_takes_the_place_of_the_last(memory: Memory) -> None:
    """The model sees the summary so far and the next part, has no tools, and its reply is the file."""
    _, model = build(memory, "# One\n", "# Two\n", "# Three\n", words=250)

    assert "about 250 words" in model.requests[0].messages[0].content
    ask = compose("roles/ask-summarize", summary="# Two", context=render_unit(CHAT.units[2]))
    assert ask.text == model.requests[2].messages[1].content
    assert () == model.requests[0].tools
    assert [PATH] == memory.store.paths()
    text = memory.store.read(PATH)
    front = parse_frontmatter(text)
    assert front is not None
    assert ("summary", "Running summary of the whole stream up to session 3, chunk 1 of 1") == (
        front.name,
        front.description,
    )
    assert text.endswith("---\n\n# Three\n")


CUT = Completion(Message("assistant", "# Half of"), Usage(uncached=1, output=2), "length")
FAULTS: dict[str, tuple[list[Reply], str]] = {
    "cut": ([CUT], "tokens"),
    "empty": (["", "  "], "empty"),
    "refused": ([ContentRefused("no")], "refused"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_reply_of_no_use_leaves_the_last_summary(memory: Memory, fault: str) -> None:
    """The receipt says which part is missing, and the next part goes on from what there was."""
    replies, end = FAULTS[fault]
    receipts, model = build(memory, "# One", *replies, "# Three")

    reason = f"the manager did not finish chunk 1 of 1 ({end}) of session 2"
    assert ["", reason, ""] == [receipt.reason for receipt in receipts]
    assert "<summary>\n# One\n</summary>" in model.requests[-1].messages[1].content
    assert memory.store.read(PATH).endswith("\n# Three\n")


@pytest.fixture(scope="module")
def registry() -> Registry:
    """Every part that is installed."""
    return build_registry()


@pytest.mark.parametrize("words", [100, 600])
def test_the_embedded_model_keeps_to_the_words(registry: Registry, memory: Memory, words: int) -> None:
    """The latest salient facts with their locators, within the limit."""
    case: Case = next(iter(registry.make("dataset", "demo").load(None)))
    builder = RollingSummary(registry.make("model", "memkit/extractive"), words=words)
    asyncio.run(build_memory(memory, builder, case.stream.units))

    body = memory.store.read(PATH).partition("# What was said\n")[2]
    assert words * 0.7 < len(body.split()) <= words
    assert 10 == max(locator.group for locator in find_locators(body))
