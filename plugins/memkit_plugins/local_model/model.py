"""A model on this machine, in this process: no key, no network, no price."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from attrs import field, frozen, validators

from memkit import Completion, Request
from memkit_plugins.local_model.engine import Loading, engine
from memkit_plugins.local_model.schema import reply_schema
from memkit_plugins.local_model.weights import find_file, find_weights, fingerprint
from memkit_plugins.local_model.wire import read_reply, write_messages

SEED = 0
"""Of a repeatable reply for which nobody chose one."""


@frozen
class LocalModel:
    """The GGUF file that MEMKIT_LOCAL_GGUF names, run in this process.

    `temperature` and `seed` are the model's and chance's own unless given. `deterministic` is temperature 0 unless
    another is given, and the same reply to the same request each time: the prompt cache is off, since what it holds
    changes the last digits. So it is wherever temperature 0 or a seed is asked for. `context_tokens` is the window,
    at most the one it was trained on; main memory for it is taken when it is loaded, at the first call.
    `reply_tokens` ends a reply sooner than its role would: small models repeat themselves without end.
    """

    temperature: float | None = field(default=None, validator=validators.optional(validators.ge(0)))
    seed: int | None = field(default=None, validator=validators.optional(validators.ge(0)))
    deterministic: bool = False
    context_tokens: int = field(default=16_384, validator=validators.ge(512))
    reply_tokens: int = field(default=2_048, validator=validators.ge(1))
    name: str = field(default="memkit/local", init=False)
    weights: Path = field(factory=find_weights, init=False)

    @classmethod
    def fingerprint(cls) -> str:
        """Which file it is, whatever it is called: another file gives other replies. Raises UserError without one."""
        return fingerprint(find_file())

    async def complete(self, request: Request) -> Completion:
        """One reply, when those asked for before have been given. Raises ModelError."""
        said = await engine().ask(Loading(self.weights, self.context_tokens), self.body(request), self.name)
        return read_reply(said, request)

    def body(self, request: Request) -> dict[str, Any]:
        """The chat request to the library."""
        temperature = self.temperature if request.temperature is None else request.temperature
        seed = self.seed if request.seed is None else request.seed
        repeatable = self.deterministic or temperature == 0 or seed is not None
        if self.deterministic and temperature is None:
            temperature = 0.0
        if repeatable and seed is None:
            seed = SEED
        body: dict[str, Any] = {
            "messages": write_messages(request),
            "max_tokens": min(request.max_output_tokens, self.reply_tokens),
            "cache_prompt": not repeatable,
        }
        if request.tools:
            form = {"name": "reply", "schema": reply_schema(request.tools)}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        chosen = {"temperature": temperature, "seed": seed}
        return body | {name: value for name, value in chosen.items() if value is not None}
