"""The words that questions use for the tools and acts of a log, whatever form they take."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from attrs import field, frozen

from memkit.query.rules.wording import Asked, Word
from memkit.terms import STOP_WORDS, Analyzer

SHELLS = frozenset({"execute_bash", "bash", "terminal", "shell", "run", "execute", "sh", "cmd", "powershell"})
"""Tools whose acts are programs."""
EDITS = ("str_replace", "insert", "undo_edit", "edit", "apply_patch", "replace")
WRITES = ("create", *EDITS, "write", "file_saver", "write_file")
"""Acts that write files, those that change a file that is there, and those that may make one."""
MOVES = frozenset({"go to", "go", "goto", "walk", "move to", "navigate"})
"""Acts that change nothing but where the agent is."""

_FORMS = {
    "went": "go", "gone": "go", "took": "take", "taken": "take", "ran": "run", "wrote": "write", "written": "write",
    "said": "say", "made": "make", "sent": "send", "found": "find", "left": "leave", "typing": "type", "got": "get",
    "chose": "choose", "chosen": "choose", "sought": "seek", "slept": "sleep", "drew": "draw", "built": "build",
    "ate": "eat", "drank": "drink", "threw": "throw", "thrown": "throw", "gave": "give", "given": "give",
    "thought": "think", "thoughts": "think", "undid": "undo", "undone": "undo", "queries": "query",
}  # fmt: skip
"""Forms that a stemmer does not bring together with their verb."""

_SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "go to": ("visit", "travel to", "walk to", "arrive at", "head to", "enter", "go back to", "return to"),
    "take": ("pick up", "grab", "collect", "acquire", "pick"),
    "move": ("put", "place", "drop", "put down"),
    "put": ("place", "drop", "move", "put down"),
    "view": ("read", "look at", "open", "examine", "inspect", "display"),
    "str_replace": ("replace", "substitute", "string replace"),
    "undo_edit": ("undo", "revert", "roll back"),
    "create": ("write", "add"),
    "type": ("enter", "input", "fill in", "fill", "write"),
    "goto": ("navigate to", "visit", "go to"),
    "go_back": ("go back", "back", "return", "navigate back"),
    "say": ("send", "write"),
    "share": ("send", "post"),
    "inventory": ("check inventory", "check the inventory"),
    "heat": ("warm", "microwave"),
    "cool": ("chill",),
    "use": ("toggle", "switch on", "turn on"),
}
"""Other words for common acts, used only where no act of the log has that word itself."""

_GENERIC = frozenset(
    """
    execute call perform use do action tool command step agent get set str make run start end new file files
    content website page mark step id text index data all
    """.split()  # noqa: SIM905
)
"""Parts of identifiers that stand for no act by themselves."""
_COMMON = frozenset(
    """
    up down left right north south east west in on off far near wait do stop help back find cat head tail sort
    test time make which who echo kill cut less more top diff date read exit sleep for if while python node java
    git ls say share the commit
    """.split()  # noqa: SIM905
)
"""Acts that are common words, too: only `the left action`, `ran find` or a quotation means them."""
_ENDINGS = frozenset({"final_answer", "final answer", "finish", "terminate", "submit"})
"""Acts that end a log: unquoted, their words mean its end or its answer."""
_CALLED = frozenset(
    """
    action command call move tool invocation operation step query ran run execute invoke issue use press button
    perform
    """.split()  # noqa: SIM905
)
_PHRASE_WORDS = 4

_Table: TypeAlias = Mapping[tuple[str, ...], tuple[str, ...]]
"""Phrases, as the stems of their words, and the acts and tools they mean."""


@frozen
class Mention:
    """Acts or tools that words `start` to `end` of a clause may mean; `exact` when they are written as they are."""

    names: tuple[str, ...]
    start: int
    end: int
    exact: bool


@frozen
class Lexicon:
    """What phrases mean which acts: sequences of stems, the surest table first."""

    names: frozenset[str]
    _acts: Mapping[str, frozenset[str]] = field(repr=False)
    _tables: tuple[_Table, ...] = field(repr=False)
    _common: frozenset[str] = field(repr=False)

    @classmethod
    def of(cls, acts: Mapping[str, Collection[str]]) -> Lexicon:
        """The lexicon of a log whose tools have these acts, in lower case."""
        bare = {tool for tool in acts if not any(acts[tool])}
        inner = sorted({act for tool in acts for act in acts[tool] if act} | bare)
        programs = frozenset(act for tool in acts if tool in SHELLS or "sql" in tool for act in acts[tool])
        outer = [tool for tool in sorted(acts) if tool not in inner]
        tables = (_whole([*inner, *outer], acts), _others(inner, programs), _pieces([*inner, *outer]))
        by_tool = {tool: frozenset(acts[tool]) - {tool} for tool in acts}
        return cls(frozenset(inner) | frozenset(acts), by_tool, tables, programs | _COMMON | STOP_WORDS)

    def acts_of(self, tool: str) -> frozenset[str]:
        """The acts of a tool other than itself; none for what is no tool."""
        return self._acts.get(tool, frozenset())

    def mentions(self, asked: Asked) -> list[Mention]:
        """The mentions in a clause outside its quotations, from left to right, the longest of each place."""
        found = []
        words = asked.words
        key = stems([word.text for word in words])
        at = 0
        while at < len(words):
            mention, width = self._longest(words, key, at)
            if mention is not None:
                found.append(mention)
            at += width
        return found

    def exactly(self, text: str) -> tuple[str, ...]:
        """The acts and tools that a quotation names; none where it says more than a name."""
        return self._tables[0].get(tuple(stems(text.lower().split())), ())

    def known(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of `names` that the log has."""
        return tuple(name for name in names if name in self.names)

    def _longest(self, words: Sequence[Word], key: Sequence[str], at: int) -> tuple[Mention | None, int]:
        for width in range(min(_PHRASE_WORDS, len(words) - at), 0, -1):
            phrase = tuple(key[at : at + width])
            for number, table in enumerate(self._tables):
                names = table.get(phrase)
                if (
                    names
                    and not _ENDINGS.issuperset(names)
                    and (number or not self._is_common(names, words, at, width))
                ):
                    return Mention(names, words[at].start, words[at + width - 1].end, number == 0), width
        return None, 1

    def _is_common(self, names: tuple[str, ...], words: Sequence[Word], at: int, width: int) -> bool:
        """Whether a common word stands where nothing near it says that it is an act."""
        if width > 1 or not self._common.issuperset(names):
            return False
        if STOP_WORDS.issuperset(names):
            return True
        near = (*words[max(0, at - 2) : at], *words[at + 1 : at + 3])
        return not _CALLED.intersection(stems([word.text for word in near])) and not _CALLED.intersection(
            word.text for word in near
        )


def _whole(names: Iterable[str], acts: Collection[str]) -> _Table:
    """Names as they are written, and with blanks for their underscores."""
    table: dict[tuple[str, ...], dict[str, None]] = {}
    for name in names:
        for key in (tuple(stems(name.split())), tuple(stems(_parts(name)))):
            table.setdefault(key, {})[name] = None
    if shells := sorted(SHELLS.intersection(acts)):
        # `bash` may be a program that was run, too; who says `bash commands` means the tool.
        table |= {(word,): dict.fromkeys(shells) for word in stems(["bash", "shell", "terminal"])}
    return _fixed(table)


def _others(names: Iterable[str], programs: Collection[str]) -> _Table:
    """Other words for the acts that are no programs."""
    table: dict[tuple[str, ...], dict[str, None]] = {}
    for name in names:
        for phrase in _SYNONYMS.get(name, ()) if name not in programs else ():
            table.setdefault(tuple(stems(phrase.split())), {})[name] = None
    return _fixed(table)


def _pieces(names: Iterable[str]) -> _Table:
    """The telling parts of names of several: `search` for `search_wiki`, and `saved` for a `file_saver`."""
    table: dict[tuple[str, ...], dict[str, None]] = {}
    for name in names:
        parts = _parts(name)
        for part in parts if len(parts) > 1 and " " not in name else ():
            if part not in _GENERIC and len(part) > 2:
                for stem in stems([part, part.removesuffix("r")]):
                    table.setdefault((stem,), {})[name] = None
    return _fixed(table)


def _fixed(table: Mapping[tuple[str, ...], Mapping[str, None]]) -> _Table:
    return {key: tuple(names) for key, names in table.items()}


def stems(words: Iterable[str]) -> list[str]:
    """Words without their endings, so that forms of one verb are equal."""
    return [_stem(word) for word in words]


@cache
def _analyzer() -> Analyzer:
    return Analyzer()


def _stem(word: str) -> str:
    if "_" in word:
        return word
    return _analyzer().terms([_FORMS.get(word, word)])[0]


def _parts(name: str) -> list[str]:
    return name.replace("_", " ").replace("-", " ").replace(".", " ").split()
