"""Answering from a text at hand: one call of a model, no tools."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from memkit.contracts import Model
from memkit.locators import Locator
from memkit.prompts import compose
from memkit.records import Answer, Finding, Message, Question
from memkit.runtime.loop import run_loop
from memkit.tokens import count_tokens
from memkit.transcript import render_options


async def read_answer(
    model: Model,
    question: Question,
    context: str,
    *,
    shown: Sequence[Locator],
    computed: str = "",
    findings: Sequence[Finding] = (),
) -> Answer:
    """The model's answer from `context`, which holds the turns or steps `shown` whole, and from what was computed.

    Without `computed` the prompt is that of the context alone, so that an answer recorded for it serves again
    (ledger paper, section 5). Raises ModelError.
    """
    options = render_options(question.options)
    if computed:
        system = compose("roles/in-context-computed").text
        user = compose(
            "roles/ask-in-context-computed",
            context=context,
            computed=computed,
            question=question.text,
            options=options,
        ).text
    else:
        system = compose("roles/in-context").text
        user = compose("roles/ask-in-context", context=context, question=question.text, options=options).text
    done = await run_loop(model, (Message("system", system), Message("user", user)), (), role="search")
    served = count_tokens(context) + count_tokens(computed)
    effort = evolve(done.effort, served=tuple(shown), served_tokens=served)
    return Answer(done.text, (), done.end, effort, tuple(findings), messages=done.messages)
