"""Every error memkit raises, in one tree.

MemkitError
├── UserError            bad input: the message says what, where and how to mend it (exit code 2)
│   ├── ConfigError      a wrong value in options, a spec or a manifest; names the path in the file
│   ├── DataError        a wrong line or record in a data file
│   ├── PluginError      a plugin that does not load, register or exist
│   ├── PromptError      a prompt file that is missing or does not compose
│   └── QueryError       a plan over the event ledger that cannot be read; names the line and column, or the key
├── ToolError            goes back to the model as the result of its call; never ends a run
├── StoreError           the store refuses; nothing was changed
│   ├── PathRefused      the name is outside the rules or the root
│   ├── NotFound
│   ├── AlreadyExists
│   ├── NotText          not UTF-8, or not a regular file
│   ├── TooLarge
│   ├── NoMatch          an edit's old text does not occur
│   ├── ManyMatches      an edit's old text occurs more than once
│   ├── BadLine          a line number outside the file
│   ├── BadFrontmatter
│   └── LockTimeout      another writer holds the memory
├── BudgetHit            a call would take a run over its budget; it is not made, and ends what it was for
└── ModelError
    ├── TransientModelError    worth another attempt
    ├── PermanentModelError    the same call fails again
    ├── ContentRefused
    └── ContextOverflow
"""

from __future__ import annotations


class MemkitError(Exception):
    """Base of everything memkit raises on purpose; any other exception is a bug."""


class UserError(MemkitError):
    """Bad input. The message is one sentence a person can act on."""


class ConfigError(UserError):
    """A value that does not fit; `where` is the path to it, such as `compare.yaml: factors.builder[1].with`."""

    def __init__(self, message: str, *, where: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.where = where


class DataError(UserError):
    """A record in a data file that cannot be used; `where` is `file:line` or `file: path`."""

    def __init__(self, message: str, *, where: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.where = where


class PluginError(UserError):
    """A plugin that failed to load, registered a taken name, or is not there."""


class PromptError(UserError):
    """A prompt that is missing, or whose blocks or variables do not fit."""


class QueryError(UserError):
    """A plan that cannot be read: at `line` and `column`, from 1, of its text, or at the path `key` of its JSON."""

    def __init__(self, message: str, *, line: int = 0, column: int = 0, key: str = "") -> None:
        where = f"line {line}, column {column}" if line else key
        super().__init__(f"{where}: {message}" if where else message)
        self.line = line
        self.column = column
        self.key = key


class ToolError(MemkitError):
    """The text a model gets back when its tool call cannot be done."""


class StoreError(MemkitError):
    """The store refused an operation and is unchanged; `path` is the virtual path."""

    def __init__(self, message: str, *, path: str = "") -> None:
        super().__init__(message)
        self.path = path


class PathRefused(StoreError):
    """The path breaks a naming rule, leaves the root, or meets a link or special file."""


class NotFound(StoreError):
    """No such file or folder."""


class AlreadyExists(StoreError):
    """Something already has this name (also under another case or normal form)."""


class NotText(StoreError):
    """Not a regular file holding UTF-8 text."""


class TooLarge(StoreError):
    """Over a limit of the store; the message names the limit."""


class NoMatch(StoreError):
    """The text to replace does not occur."""


class ManyMatches(StoreError):
    """The text to replace occurs more than once; `lines` are the 1-based lines where each match begins."""

    def __init__(self, message: str, *, path: str, lines: tuple[int, ...]) -> None:
        super().__init__(message, path=path)
        self.lines = lines


class BadLine(StoreError):
    """A line number outside `[low, high]`."""

    def __init__(self, message: str, *, path: str, low: int, high: int) -> None:
        super().__init__(message, path=path)
        self.low = low
        self.high = high


class BadFrontmatter(StoreError):
    """The frontmatter is not a small map of strings that the rules allow."""


class LockTimeout(StoreError):
    """Another process kept the lock for longer than the caller would wait; names its pid."""


class BudgetHit(MemkitError):
    """The budget of a run has no room for the call. No ModelError: what goes on without a reply must not go on here."""


class ModelError(MemkitError):
    """A model call that gave no reply."""


class TransientModelError(ModelError):
    """Worth trying again, after `retry_after` seconds where the provider said so."""

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class PermanentModelError(ModelError):
    """The same request would fail again: bad key, unknown model, invalid request."""


class ContentRefused(ModelError):
    """The provider declined to answer this content."""


class ContextOverflow(ModelError):
    """The messages do not fit the model's window."""
