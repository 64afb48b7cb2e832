"""Tables on disk: plain columns out, parquet and back. The one place that knows polars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from memkit.errors import UserError
from memkit.store.atomic import write_file

if TYPE_CHECKING:
    import polars as pl

SCHEMA = 1
"""Of the parquet files, kept in their metadata under `SCHEMA_KEY`."""
SCHEMA_KEY = "memkit_schema"
Type: TypeAlias = Literal["text", "texts", "whole", "number", "yes"]
"""What a column holds: text, a list of texts, whole numbers, numbers, or true and false; null in any of them."""
Schema: TypeAlias = Mapping[str, Type]
Columns: TypeAlias = Mapping[str, Sequence[Any]]


def write_table(path: Path, schema: Schema, columns: Columns) -> None:
    """Replace the file at `path` whole; the same columns give the same bytes. Half a surrogate becomes `?`."""
    import polars as pl

    types = {
        "text": pl.String(),
        "texts": pl.List(pl.String()),
        "whole": pl.Int64(),
        "number": pl.Float64(),
        "yes": pl.Boolean(),
    }
    encodable = {name: _encodable(columns[name], kind) for name, kind in schema.items()}
    frame = pl.DataFrame(encodable, schema={name: types[kind] for name, kind in schema.items()})
    data = BytesIO()
    frame.write_parquet(data, metadata={SCHEMA_KEY: str(SCHEMA)})
    write_file(path, data.getvalue())


def read_table(path: Path, columns: Sequence[str] | None = None) -> pl.DataFrame:
    """The table at `path`, or those of its columns that are named. UserError when it is not one of ours."""
    check_table(path)
    import polars as pl

    return pl.read_parquet(path, columns=None if columns is None else list(columns))


def column_names(path: Path) -> list[str]:
    """The columns of the table at `path`, in order."""
    check_table(path)
    import polars as pl

    return list(pl.read_parquet_schema(path))


def check_table(path: Path) -> None:
    """UserError unless `path` is a table that this version of memkit reads."""
    import polars as pl

    try:
        found = pl.read_parquet_metadata(path).get(SCHEMA_KEY)
    except FileNotFoundError:
        raise UserError(f"there is no {path}; run the comparison again, which writes it") from None
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = str(error).partition("\n")[0]
        raise UserError(f"{path} cannot be read ({reason}); run the comparison again, which writes it anew") from None
    if found != str(SCHEMA):
        raise UserError(f"{path} has schema {found}, this version of memkit reads {SCHEMA}; run the comparison again")


def _encodable(values: Sequence[Any], kind: Type) -> Sequence[Any]:
    if kind == "text":
        return [None if value is None else _utf8(value) for value in values]
    if kind == "texts":
        return [[_utf8(one) for one in value] for value in values]
    return values


def _utf8(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
