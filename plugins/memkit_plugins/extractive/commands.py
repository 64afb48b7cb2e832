"""The moves of a search as bash commands, for a harness that grants nothing else, and read back from them."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

from memkit import ROOT

Call = tuple[str, dict[str, Any]]

LISTING = f"grep -rm1 '^description:' {ROOT} | sed 's/:description:/ —/' | sort"
_SEARCH = re.compile(rf"grep -rniE -- (.*) {ROOT} \| sort -t: -k1,1 -k2,2n \| awk 'NR <= (\d+); .*", re.DOTALL)
_READ = re.compile(r"echo (.*); cat -n -- .* \| sed -n '(\d+),(\d+)p'", re.DOTALL)


def write_command(call: Call) -> Call:
    """The call of `bash` that does what `call` of `view` or `grep` does, as far as a search needs it."""
    tool, arguments = call
    if tool == "grep":
        pattern, most = shlex.quote(arguments["pattern"].removeprefix("(?i)")), arguments["max_results"]
        rest = f'END {{ if (NR > {most}) print "[" NR - {most} " more matching lines]" }}'
        command = f"grep -rniE -- {pattern} {ROOT} | sort -t: -k1,1 -k2,2n | awk 'NR <= {most}; {rest}'"
    elif "view_range" in arguments:
        path, (first, last) = shlex.quote(arguments["path"]), arguments["view_range"]
        command = f"echo {path}; cat -n -- {path} | sed -n '{first},{last}p'"
    else:
        command = LISTING
    return ("bash", {"command": command})


def read_command(arguments: str) -> Call | None:
    """The call that `write_command` made into these arguments of `bash`; None for any others."""
    try:
        command = json.loads(arguments)["command"]
        if command == LISTING:
            return ("view", {"path": ROOT})
        if search := _SEARCH.fullmatch(command):
            (pattern,) = shlex.split(search[1])
            return ("grep", {"pattern": f"(?i){pattern}", "max_results": int(search[2])})
        if read := _READ.fullmatch(command):
            (path,) = shlex.split(read[1])
            return ("view", {"path": path, "view_range": [int(read[2]), int(read[3])]})
    except (ValueError, KeyError, TypeError):
        pass
    return None
