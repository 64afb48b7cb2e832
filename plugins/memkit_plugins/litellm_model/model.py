"""A provider's model, called through litellm."""

from __future__ import annotations

import asyncio
import logging
from random import Random
from typing import Any, Literal, TypeAlias

from attrs import evolve, field, mutable, validators

from memkit import Completion, ModelError, Request, TransientModelError
from memkit_plugins.litellm_model.backoff import FIRST, pause
from memkit_plugins.litellm_model.failures import Throttled, to_model_error
from memkit_plugins.litellm_model.home import at_home
from memkit_plugins.litellm_model.marks import mark
from memkit_plugins.litellm_model.route import Route, find_route, untaken
from memkit_plugins.litellm_model.switches import load
from memkit_plugins.litellm_model.throttle import gate_to
from memkit_plugins.litellm_model.wire import read_reply, write_messages, write_tools

LOGGER = logging.getLogger("memkit")

ReasoningEffort: TypeAlias = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]


OPTIONS = ("tools", "temperature", "seed", "reasoning_effort")
"""What litellm leaves out of a call when the model does not take it."""


@mutable(eq=False)
class ProviderModel:
    """Any provider's model by its name `provider/model`; keys are read from the environment, as litellm names them.

    `timeout` is in seconds and for each attempt as a whole; `retries` are the attempts after the first,
    spaced from `first_wait` seconds on; `max_concurrency` are the calls at once to one provider, fewer
    while it refuses some. `api_base` is another address than the provider's own. `prompt_cache` asks those
    providers that must be asked to cache the prompts of requests with tools: a loop sends them again, and
    longer. A request without tools is sent once, and writing it to a cache would only cost more.
    """

    name: str = field(alias="model")
    temperature: float | None = field(default=None, validator=validators.optional(validators.ge(0)))
    seed: int | None = None
    reasoning_effort: ReasoningEffort | None = None
    api_base: str | None = None
    timeout: float = field(default=600.0, validator=validators.gt(0))
    retries: int = field(default=5, validator=validators.ge(0))
    first_wait: float = field(default=FIRST, validator=validators.gt(0))
    max_concurrency: int = field(default=64, validator=validators.gt(0))
    prompt_cache: bool = True
    _route: Route | None = field(default=None, init=False, repr=False)
    _checked: set[str] = field(factory=set, init=False, repr=False)

    async def complete(self, request: Request) -> Completion:
        """One reply, after as many attempts as it takes or `retries` allows.

        Raises ModelError: at once when another attempt would fail the same way.
        """
        return await at_home(self._complete(request))

    async def _complete(self, request: Request) -> Completion:
        litellm = load()
        route = self._route = self._route or find_route(litellm, self.name, self.api_base)
        arguments = self._arguments(request, route)
        self._tell_untaken(litellm, arguments, route)
        chance: Random | None = None
        async with gate_to(route.provider, self.api_base or "", self.max_concurrency).slot() as window:
            for attempt in range(self.retries + 1):
                epoch = window.epoch
                try:
                    reply = await self._attempt(litellm, arguments, request)
                except TransientModelError as error:
                    if isinstance(error, Throttled):
                        window.throttled(epoch)
                    if attempt == self.retries:
                        raise _given_up(error, attempt + 1) from None
                    chance = chance or Random(f"{self.seed} {self.name} {request.messages[-1].content!r}")
                    await asyncio.sleep(pause(attempt, error.retry_after, chance, first=self.first_wait))
                else:
                    window.succeeded()
                    return evolve(reply, retries=attempt)
        raise AssertionError("unreachable")

    async def _attempt(self, litellm: Any, arguments: dict[str, Any], request: Request) -> Completion:
        try:
            # litellm's own limit counts from the last byte; this one is for the whole attempt.
            async with asyncio.timeout(self.timeout):
                response = await litellm.acompletion(**arguments)
            return read_reply(response, request, self.name)
        except ModelError:
            raise
        except TimeoutError:
            raise TransientModelError(f"{self.name}: no reply within {self.timeout:g} seconds") from None
        except Exception as error:  # noqa: BLE001 - providers' errors come as many types
            raise to_model_error(error, litellm, self.name) from None

    def _arguments(self, request: Request, route: Route) -> dict[str, Any]:
        longest = min(request.max_output_tokens, route.longest_reply or request.max_output_tokens)
        messages = write_messages(request.messages)
        if self.prompt_cache and route.marks and request.tools:
            mark(messages)
        given = {
            "tools": write_tools(request.tools) or None,
            "temperature": self.temperature if request.temperature is None else request.temperature,
            "seed": self.seed if request.seed is None else request.seed,
            "reasoning_effort": self.reasoning_effort,
            "api_base": self.api_base,
        }
        return {
            "model": self.name,
            "messages": messages,
            "max_tokens": longest,
            "timeout": self.timeout,
            "num_retries": 0,
            "max_retries": 0,
            "drop_params": True,
            **{name: value for name, value in given.items() if value is not None},
        }

    def _tell_untaken(self, litellm: Any, arguments: dict[str, Any], route: Route) -> None:
        """Warn, once for each, of what was chosen and the model does not take: it is left out."""
        chosen = {name: arguments[name] for name in OPTIONS if name in arguments and name not in self._checked}
        self._checked |= chosen.keys()
        for name in untaken(litellm, route, chosen):
            LOGGER.warning("%s does not take %s: calls go without it", self.name, name)


def _given_up(error: TransientModelError, attempts: int) -> TransientModelError:
    times = f"; gave up after {attempts} attempts" if attempts > 1 else ""
    return TransientModelError(f"{error}{times}", retry_after=error.retry_after)
