"""What a judge is shown of the material: quoted whole, so that nothing in it passes for the judge's own prompt."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from memkit import (
    Answer,
    Citation,
    Question,
    StoreError,
    count_tokens,
    cut_tokens,
    find_citations,
    render_citation,
    render_options,
    resolve_citation,
)

if TYPE_CHECKING:
    from memkit import Memory

NOT_FOUND = "[FILE NOT FOUND]"
"""Stands for the text of a citation that leads nowhere; the prompt explains it."""
CODE_CHARACTERS = 16


def quote(text: str) -> str:
    """The text between two lines that carry a code of its own.

    The code is made of the text: the same request comes out the same, and no text can hold its own code, so none can
    end its quotation early.
    """
    code = sha256(text.encode("utf-8", "replace")).hexdigest()[:CODE_CHARACTERS]
    return f"[quotation {code}: ends at the line that closes it with this code]\n{text}\n[end of quotation {code}]"


def ask(question: Question) -> str:
    """The question with its options, quoted."""
    return quote(f"{question.text}\n{render_options(question.options)}".strip())


def cited_text(answer: Answer, memory: Memory, budget: int) -> str:
    """Each place in the store that the answer cites, with the text found there, quoted.

    At most `budget` tokens of text are shown; what is past them is cut off, and marked as cut. Locators such as
    `[S5T3]` are no citations: the prompts of search say so.
    """
    citations = dict.fromkeys((*answer.citations, *find_citations(answer.text)))
    parts = []
    for citation in citations:
        text = _passage(citation, memory)
        shown = text if text == NOT_FOUND else cut_tokens(text, budget)
        budget = max(budget - count_tokens(shown), 0)
        parts.append(
            f"{render_citation(citation)}\n{shown}" + ("" if shown == text else "\n[cut here: too long to show]")
        )
    return quote("\n\n".join(parts)) if parts else "The answer cites nothing."


def _passage(citation: Citation, memory: Memory) -> str:
    try:
        return resolve_citation(citation, memory.store).text
    except StoreError:
        return NOT_FOUND
