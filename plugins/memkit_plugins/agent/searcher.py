"""A search agent: (a, C) = pi'(M, q; H'), with pi' a model and H' a harness."""

from __future__ import annotations

from attrs import evolve, frozen

from memkit import (
    Answer,
    Harness,
    Layout,
    Limits,
    Memory,
    Message,
    Model,
    Question,
    compose,
    find_citations,
    render_options,
    run_loop,
    tool_guide,
)

PROMPTS: dict[Layout, str] = {
    "tree": "roles/search",
    "flat": "roles/search-flat",
    "foldered": "roles/search-foldered",
    "chunks": "roles/search-chunks",
    "none": "roles/closed-book",
}


@frozen
class Agent:
    """A model that searches the store with the tools of a harness and cites what it finds; with no store it guesses."""

    model: Model
    harness: Harness
    limits: Limits = Limits()

    async def answer(self, memory: Memory, question: Question) -> Answer:
        """Run the loop on the question; its last reply is the answer."""
        tools = self.harness.tools("search", memory)
        layout, limits, values = memory.manifest.layout, self.limits, {"tools": tool_guide("search", tools)}
        if layout == "none":  # one round without tools (filesystem paper, closed-book)
            limits, values = evolve(limits, rounds=1), {}
        prompt = compose(PROMPTS[layout], **values)
        ask = compose("roles/ask", question=question.text, options=render_options(question.options))
        messages = (Message("system", prompt.text), Message("user", ask.text))
        done = await run_loop(self.model, messages, tools, role="search", limits=limits)
        return Answer(done.text, find_citations(done.text), done.end, done.effort, messages=done.messages)
