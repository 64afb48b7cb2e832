"""`memkit ask`: answer one question from a memory."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from memkit.citations import find_citations, render_citation, resolve_citation
from memkit.cli.console import say, say_json
from memkit.cli.options import accept_unsandboxed_option
from memkit.compare.spec import EXTRACTIVE
from memkit.errors import StoreError, UserError
from memkit.memory import Memory
from memkit.models import open_model
from memkit.plugins import build_registry
from memkit.records import Answer, Citation, Question


@click.command()
@click.argument("memory", type=click.Path(path_type=Path))
@click.argument("question")
@click.option("--option", "options", multiple=True, help="A choice of a multiple-choice question; give each.")
@click.option("--harness", help="Tools to search with; by default what fits the memory.")
@click.option("--searcher", default="agent", show_default=True, help="How to search.")
@click.option("--model", default=EXTRACTIVE, show_default=True, help="The model that searches.")
@accept_unsandboxed_option
@click.option("--json", "json_", is_flag=True, help="Print the answer, its citations and what it took as JSON.")
def command(
    memory: Path,
    question: str,
    options: tuple[str, ...],
    harness: str | None,
    searcher: str,
    model: str,
    accept_unsandboxed: bool,
    json_: bool,
) -> int:
    """Answer QUESTION from the memory in directory MEMORY, with citations into its store."""
    opened = Memory.open(memory)
    registry = build_registry(accept_unsandboxed=accept_unsandboxed)
    layout = opened.manifest.layout
    name = harness or {"chunks": "chunks", "ledger": "none", "none": "none"}.get(layout, "center+bm25")
    tools = registry.make("harness", name)
    if reason := registry.search_misfit(searcher, tools, layout):
        mend = "leave --harness out" if harness else "choose another --searcher"
        raise UserError(f"{memory} cannot be searched so: {searcher} with harness {name!r}: {reason}; {mend}")
    made = registry.make("searcher", searcher, model=open_model(registry, model), harness=tools)
    answer: Answer = asyncio.run(made.answer(opened, Question("ask", question, options=options)))
    say_json(_data(answer, opened)) if json_ else say(
        answer.text or f"no answer: the search ended at its limit of {answer.end}"
    )
    return 0


def _data(answer: Answer, memory: Memory) -> dict[str, object]:
    effort = answer.effort
    return {
        "schema": 1,
        "answer": answer.text,
        "end": answer.end,
        "citations": [_citation(citation, memory) for citation in find_citations(answer.text)],
        "served": [str(locator) for locator in effort.served],
        "usage": {
            "uncached": effort.usage.uncached,
            "cache_read": effort.usage.cache_read,
            "cache_write": effort.usage.cache_write,
            "output": effort.usage.output,
        },
        "rounds": effort.rounds,
        "tool_calls": effort.tool_calls,
        "served_tokens": effort.served_tokens,
        "seconds": effort.seconds,
    }


def _citation(citation: Citation, memory: Memory) -> dict[str, object]:
    shown = {"citation": render_citation(citation)}
    try:
        passage = resolve_citation(citation, memory.store)
    except StoreError as error:
        return {**shown, "resolves": False, "error": str(error)}
    return {**shown, "resolves": True, "text": passage.text, "locators": [str(one) for one in passage.locators]}
