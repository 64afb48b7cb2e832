"""A row keeps what a bill needs when the request is gone."""

from __future__ import annotations

from collections.abc import Callable

import orjson

from memkit.accounting.bills import bill
from memkit.accounting.bounds import bounds
from memkit.accounting.call import Call
from memkit.accounting.prices import PriceTable
from memkit.accounting.rows import CallRow, call_rows
from memkit.converter import make_converter
from memkit.records import Message, Usage

SYSTEM, ASK = Message("system", "s"), Message("user", "u")


def test_rows_go_through_json(make_call: Callable[..., Call]) -> None:
    """Written as JSON and read back, rows are the same and have the bounds of the calls, unknown tokens included."""
    calls = [
        make_call((SYSTEM,), Usage(10, 2, 3, 4, 1)),
        make_call((SYSTEM, ASK), Usage(20), billed=False),
        make_call((SYSTEM,), Usage(None, None, 0, 5, None), conversation="d"),
    ]
    rows, converter = call_rows(calls), make_converter()
    back = converter.structure(orjson.loads(orjson.dumps(converter.unstructure(rows))), list[CallRow])

    assert rows == back
    assert Usage(5, 15, 0) == rows[1].floor
    assert bounds(calls) == bill(back, PriceTable("none", {})).bounds
