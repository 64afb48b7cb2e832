"""The record of a call, whatever dialect a log writes it in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from attrs import field, frozen

Form: TypeAlias = Literal["none", "editor", "shell", "sql", "tool", "web", "world", "move", "text"]
"""Which reader of this folder knows what the observation states of the call."""


@frozen
class Call:
    """An action as a call. `tool` is its leading identifier, empty when the log has no action there.

    `act` is what the tool does, empty when its arguments could not be read. `command` is the text a shell or a
    database is given, `path` the file a call is about, `targets` the things acted on, under the names of the log.
    `places` says where in the action an argument is written, as characters [u, v) without its quotes.
    """

    tool: str
    act: str
    arguments: Mapping[str, Any] = field(factory=dict)
    command: str = ""
    path: str = ""
    targets: tuple[str, ...] = ()
    places: Mapping[str, tuple[int, int]] = field(factory=dict)
    form: Form = "text"
