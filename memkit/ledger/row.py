"""A row of the event ledger: what one step or turn did, and how it ended."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from msgspec import Struct

Outcome: TypeAlias = Literal["success", "failure", "no effect", "unknown"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
Source: TypeAlias = Literal["program", "model"]


class Change(Struct, frozen=True, gc=False):
    """A change of state that a successful event made.

    `name` is `object.property` (`drawer 1.state`, `soapbar 2.location`, `agent.inventory`), `value` its value
    afterwards. `verified` says whether the value occurs in the observation or the action.
    """

    name: str
    value: str
    verified: bool = True


class Row(Struct, frozen=True, gc=False, omit_defaults=True):
    """One logged step of a trajectory, or one turn of a conversation.

    `step` is the source's own number, which a conversation's turns do not have: they are counted from 1. `tool` is
    the leading identifier of the action (`str_replace_editor`, `go`, `click`), in a conversation the speaker; `act`
    refines it (`str_replace`, `go to`, `say`). `action` is the action as it was written. `targets` are the things
    acted on, under the names the log gives them. `outcome` is what the log states, by a receipt or a sentence that
    `quote` holds; in a failure the quote is the error. `by` tells who found it. `delta` lists the parameters in
    which the action differs from the last one of the same tool and path, as `name: before -> after`. `numbers` are
    typed values that the log states, such as `exit_code` and `seconds`. `time` is ISO 8601 where the source has it.
    """

    step: int
    locator: str
    tool: str
    act: str = ""
    action: str = ""
    targets: tuple[str, ...] = ()
    outcome: Outcome = "unknown"
    quote: str = ""
    by: Source = "program"
    changes: tuple[Change, ...] = ()
    delta: tuple[str, ...] = ()
    numbers: dict[str, float] = {}
    time: str = ""
