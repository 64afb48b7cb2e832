"""Files that hold nothing to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memkit.lint.finding import Finding
from memkit.store.frontmatter import end_line
from memkit.store.lines import split_lines
from memkit.store.outline import headings

_MARKS = " \t\r#=-*_+>"
"""What a line may have and still say nothing: rules, bare list marks, underlines of headings."""


def check_contents(files: Mapping[str, str], unreadable: Mapping[str, str]) -> Iterator[Finding]:
    """A finding for each file without text, and for each that is `unreadable` for the reason given by path."""
    for path, text in files.items():
        if not has_content(text):
            message = "there is no text below the frontmatter and the headings"
            yield Finding(path, 1, "file-empty", message, "write what the file is for, or delete it")
    for path, reason in unreadable.items():
        mend = "write it as UTF-8 text, or move it out of the store"
        yield Finding(path, 1, "file-unreadable", reason.rstrip("."), mend)


def has_content(text: str) -> bool:
    """Whether a line below the frontmatter says something and is no heading."""
    lines = split_lines(text)
    skipped = end_line(text)
    titles = {heading.line for heading in headings(text)}
    below = (line for number, line in enumerate(lines[skipped:], skipped + 1) if number not in titles)
    return any(line.strip(_MARKS) for line in below)
