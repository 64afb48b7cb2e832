"""The management role of the embedded model: which job is asked for, and the next calls of it.

The job is told by what the request grants and holds. Without tools it is a summary, or annotations; with `rename`
and nothing that writes, folders; with a context beside the instruction, a chunk to file; else a reorganization, which
keeps every fact when the system prompt has the paragraph that says so.
"""

from __future__ import annotations

import re

from memkit import PermanentModelError, Request, compose
from memkit_plugins.extractive.computing import ANNOTATING, NO_ANNOTATIONS
from memkit_plugins.extractive.filing import condense, file_facts, locators, read_facts, rows_of, topics_in
from memkit_plugins.extractive.folding import SURVEY, fold
from memkit_plugins.extractive.hands import Call, Hands, hands_for
from memkit_plugins.extractive.jobs import Job, place, replay, result_of
from memkit_plugins.extractive.reorganizing import reorganize

CONTEXT = re.compile(r"\A<context>\n(.*)\n</context>\s*\Z", re.DOTALL)
SUMMARY = re.compile(r"\A<summary>\n(.*?)\n?</summary>\n\n<context>\n(.*)\n</context>\n", re.DOTALL)
WORDS = re.compile(r"about ([\d,]+) words")


def manage(request: Request) -> list[Call] | str:
    """The calls of the next round, or the text that ends the job. Raises PermanentModelError when tools are lacking."""
    tools = {tool.name for tool in request.tools}
    system = "\n".join(message.content for message in request.messages if message.role == "system")
    users = [message.content for message in request.messages if message.role == "user"]
    if not tools and users and ANNOTATING.match(users[-1]):
        return NO_ANNOTATIONS
    if not tools:
        return summarize(system, users[-1] if users else "")
    if "rename" in tools and "create" not in tools:
        return replay(request.messages, SURVEY, lambda _: fold())
    hands = hands_for(tools)
    if hands is None:
        raise PermanentModelError(
            "memkit/extractive manages a store with view, grep, create, insert and delete, or with bash;"
            " choose a harness that grants them"
        )
    contexts = [found[1] for found in map(CONTEXT.match, users) if found]
    if contexts:
        return replay(request.messages, hands.survey(), lambda _: curate(hands, contexts[-1]))
    whole = compose("blocks/keep-every-fact").text in system
    return replay(request.messages, hands.survey(), lambda tried: reorganize(hands, tried, whole=whole))


def curate(hands: Hands, context: str) -> Job:
    """File the facts of a chunk that the store does not have yet."""
    facts = condense(read_facts(rows_of(context)))
    marks = sorted({fact.locator for fact in facts})
    if not marks:
        return "Nothing in this part is worth keeping."
    survey, find = hands.survey(), hands.find(marks)
    results = yield [survey, find]
    found = result_of(results, find)
    held = locators(found.content.split("\n")) if found and not found.is_error else set()
    known = topics_in(hands.listed(result_of(results, survey)))
    filings = file_facts([fact for fact in facts if fact.locator not in held], known)
    if not filings:
        return "The store has all of this part already."
    if edits := (yield from place(hands, filings)):
        yield edits
    return f"Filed {sum(len(filing.lines) for filing in filings)} lines in {len(filings)} files."


def summarize(system: str, asked: str) -> str:
    """The lines of the old summary and the salient sentences of the new part, the earliest left out over the limit."""
    parts = SUMMARY.match(asked)
    old, context = parts.groups() if parts else ("", asked)
    lines = [line for line in old.split("\n") if line.startswith("- ")]
    lines += [fact.line for fact in condense(read_facts(rows_of(context))) if fact.line not in lines]
    limit = WORDS.search(system)
    room = int(limit[1].replace(",", "")) if limit else 1_000
    kept: list[str] = []
    for line in reversed(lines):
        room -= len(line.split())
        if room < 0:
            break
        kept.append(line)
    return "# What was said\n\n" + ("\n".join(reversed(kept)) or "Nothing that is worth keeping.")
