from __future__ import annotations

from memkit import Analyzer
from memkit_plugins.bm25.units import Unit, units_of

PLAIN = Analyzer(stemming=False)
NOTE = """---
name: jazz
description: Records
---
# Music

Coltrane, 1965
```
# not a heading
```
#hashtag
---
"""


def test_lines_with_words_are_units() -> None:
    """Each line with a word is a unit of its part; fences keep a code comment from being a heading."""
    expected = [
        Unit(2, "front", ["name", "jazz"]),
        Unit(3, "front", ["description", "records"]),
        Unit(5, "heading", ["music"]),
        Unit(7, "body", ["coltrane", "1965"]),
        Unit(9, "body", ["not", "a", "heading"]),
        Unit(11, "body", ["hashtag"]),
    ]

    assert units_of(NOTE.encode(), "line", PLAIN) == expected


def test_a_chunk_file_is_one_unit() -> None:
    """In a chunk store the body is the unit and frontmatter is none."""
    expected = [Unit(5, "body", ["music", "coltrane", "1965", "not", "a", "heading", "hashtag"])]

    assert units_of(NOTE.encode(), "file", PLAIN) == expected


def test_files_without_words_have_no_units() -> None:
    """Empty files, files of punctuation and files that are not UTF-8 hold nothing to find."""
    assert [units_of(data, kind, PLAIN) for data in (b"", b"--\n\n", b"\xff word") for kind in ("line", "file")] == [
        []
    ] * 6
