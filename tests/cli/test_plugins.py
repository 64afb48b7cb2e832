from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Memkit = Callable[..., Any]


def test_every_part_is_listed(memkit: Memkit) -> None:
    """Each part with its kind, its distribution and what it is."""
    parts = json.loads(memkit("plugins", "--json").stdout)["parts"]
    table = memkit("plugins").stdout

    assert {("builder", "verbatim"), ("runner", "local"), ("judge", "token-f1")} <= {
        (part["kind"], part["name"]) for part in parts
    }
    assert all(part["about"] and part["version"] and part["name"] in table for part in parts)


def test_a_plugin_that_is_not_there(memkit: Memkit) -> None:
    """Narrowed to what is not installed, it says so in a sentence."""
    done = memkit("plugins", env={"MEMKIT_PLUGINS": "nosuch"})

    assert (2, "memkit: no installed plugin is called nosuch; `memkit plugins` lists them\n") == (
        done.returncode,
        done.stderr,
    )
