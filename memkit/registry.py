"""Which parts exist: (kind, name) -> factory, with the distribution that brought it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Literal, TypeAlias, get_args

from attrs import field, frozen, mutable

from memkit import contracts
from memkit.converter import structure_options
from memkit.errors import ConfigError, MemkitError, PluginError
from memkit.records import Layout

Kind: TypeAlias = Literal[
    "builder", "harness", "searcher", "executor", "model", "dataset", "judge", "environment", "runner"
]
KINDS: tuple[Kind, ...] = get_args(Kind)
Factory: TypeAlias = Callable[..., Any]
"""A class or function whose keyword parameters are the part's options. Where its work rests on more than these and its
code, such as a file that the environment names, it has a `fingerprint()`: a text that is another when that is."""

CHOSEN = frozenset({"model", "harness", "accept_unsandboxed"})
"""Parameters a factory may name to be handed what the caller chose; never options, so no file can give them."""
RESERVED = "memkit/"
"""Models whose names begin so are ours: they need no key, cost nothing, and never leave this machine."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9+./_-]*")
"""What a part may be called: names stand in commands, files and tables."""


@frozen
class Source:
    """The distribution a part came from."""

    distribution: str
    version: str


@frozen
class Part:
    """One registered part."""

    kind: Kind
    name: str
    factory: Factory = field(repr=False)
    source: Source
    layouts: frozenset[Layout] | None = None
    """The stores a searcher can read; None means any that its harness fits."""

    @property
    def note(self) -> str:
        """The first line of the factory's docstring."""
        return (inspect.getdoc(self.factory) or "").partition("\n")[0]

    @property
    def wants(self) -> frozenset[str]:
        """Which of `CHOSEN` the factory names as parameters."""
        return CHOSEN & inspect.signature(self.factory).parameters.keys()


@mutable
class Registry:
    """Filled once by `memkit.plugins.build_registry`, then only read."""

    accept_unsandboxed: bool = False
    """Whether the user said, on the command line or in code, that a model's commands may run without a sandbox."""
    _parts: dict[tuple[Kind, str], Part] = field(factory=dict, repr=False)
    _source: Source = field(default=Source("unknown", "0"), alias="source")

    def builder(self, name: str, factory: Callable[..., contracts.Builder]) -> None:
        """Register a builder."""
        self._add("builder", name, factory)

    def harness(self, name: str, factory: Callable[..., contracts.Harness]) -> None:
        """Register a harness."""
        self._add("harness", name, factory)

    def searcher(
        self,
        name: str,
        factory: Callable[..., contracts.Searcher],
        *,
        layouts: Collection[Layout] | None = None,
    ) -> None:
        """Register a searcher; `layouts` names the only stores it can read."""
        self._add("searcher", name, factory, None if layouts is None else frozenset(layouts))

    def executor(self, name: str, factory: Callable[..., contracts.Executor]) -> None:
        """Register an executor."""
        self._add("executor", name, factory)

    def model(self, name: str, factory: Callable[..., contracts.Model]) -> None:
        """Register a model under its whole name, such as `memkit/extractive`."""
        self._add("model", name, factory)

    def dataset(self, name: str, factory: Callable[..., contracts.Dataset]) -> None:
        """Register a dataset."""
        self._add("dataset", name, factory)

    def judge(self, name: str, factory: Callable[..., contracts.Judge]) -> None:
        """Register a judge."""
        self._add("judge", name, factory)

    def environment(self, name: str, factory: Callable[..., contracts.Environment]) -> None:
        """Register an environment."""
        self._add("environment", name, factory)

    def runner(self, name: str, factory: Callable[..., contracts.Runner]) -> None:
        """Register a runner."""
        self._add("runner", name, factory)

    def part(self, kind: Kind, name: str) -> Part:
        """The part of that name; PluginError that lists the near names otherwise."""
        try:
            return self._parts[kind, name]
        except KeyError:
            names = self.names(kind)
            near = get_close_matches(name, names, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(names) or 'none'}"
            raise PluginError(f"no {kind} is called {name!r}; {hint}") from None

    def names(self, kind: Kind) -> list[str]:
        """The names of one kind, sorted."""
        return sorted(name for (k, name) in self._parts if k == kind)

    def __iter__(self) -> Iterator[Part]:
        """Every part, by kind in the order of `KINDS`, then by name."""
        return iter(sorted(self._parts.values(), key=lambda part: (KINDS.index(part.kind), part.name)))

    def __len__(self) -> int:
        return len(self._parts)

    def make(
        self, kind: Kind, name: str, options: Mapping[str, Any] | None = None, *, where: str = "", **chosen: Any
    ) -> Any:
        """Call the factory with its options, and with those of `chosen` that its signature names.

        Raises PluginError for an unknown name, a missing choice or a result that does not fit its
        contract, and ConfigError, prefixed with `where`, for an option that does not fit.
        """
        part = self.part(kind, name)
        chosen = {"accept_unsandboxed": self.accept_unsandboxed, **chosen}
        parameters = inspect.signature(part.factory).parameters
        needed = {key for key in part.wants if parameters[key].default is inspect.Parameter.empty}
        if missing := needed - chosen.keys():
            raise PluginError(f"{kind} {name!r} needs a {' and a '.join(sorted(missing))}; choose one")
        where = where or f"options of {kind} {name!r}"
        given = structure_options(part.factory, options or {}, chosen=CHOSEN, where=where)
        who = f"{kind} {name!r} of {part.source.distribution}"
        try:
            made = part.factory(**given, **{key: chosen[key] for key in part.wants & chosen.keys()})
        except MemkitError:
            raise
        except ValueError as error:  # an attrs validator's; its sentence comes first in its arguments
            raise ConfigError(str(next(iter(error.args), "a value does not fit")), where=where) from None
        except Exception as error:
            raise PluginError(f"{who} cannot be made: {type(error).__name__}: {error}") from error
        contract = getattr(contracts, kind.capitalize())
        if not isinstance(made, contract):
            lacking = sorted(n for n in contracts.members(contract) if not hasattr(made, n))
            raise PluginError(f"{who} does not fit its contract: it lacks {', '.join(lacking)}")
        return made

    def search_misfit(self, searcher: str, harness: contracts.Harness, layout: Layout) -> str | None:
        """Why that searcher cannot search a store of `layout` with `harness`; None when it can.

        A harness that the searcher does not take is no hindrance.
        """
        part = self.part("searcher", searcher)
        if part.layouts is not None and layout not in part.layouts:
            return f"{searcher} searches {' or '.join(sorted(part.layouts))}, not {layout}"
        return harness.misfit("search", layout) if "harness" in part.wants else None

    def _add(self, kind: Kind, name: str, factory: Factory, layouts: frozenset[Layout] | None = None) -> None:
        if not callable(factory):
            raise PluginError(f"{self._source.distribution} registers {kind} {name!r} with something not callable")
        if not NAME.fullmatch(name):
            raise PluginError(
                f"{self._source.distribution} registers a {kind} under {name!r}; use letters, digits and + . / _ -"
            )
        if other := self._parts.get((kind, name)):
            raise PluginError(
                f"{kind} {name!r} is registered twice: by {other.source.distribution} and by"
                f" {self._source.distribution}; uninstall one or narrow MEMKIT_PLUGINS"
            )
        self._parts[kind, name] = Part(kind, name, factory, self._source, layouts)

    def attribute_to(self, source: Source) -> None:
        """Say who registers next; called by the plugin manager."""
        self._source = source
