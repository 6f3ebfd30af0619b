"""Words that a native reader stumbles over, in all that the project says: `python -m tests.plain_english` lists
them, in some rooms only if these are named, and ends with 1 where there are any. `make lint` runs it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Old word -> what to write instead.
INSTEAD = {
    "whoever": "the rater, the study lead, you",
    "thereof": "name the thing",
    "of which": "split the sentence",
    "of whom": "split the sentence",
    "is said": "the page shows, the report lists",
    "nobody knows": "unknown",
    "stands? beside": "is shown next to",
    "mend": "fix",
    "moved apart": "the gap widened",
    "take away": "export",
    "bring in": "import",
}
STUMBLES = re.compile(rf"\b(?:{'|'.join(INSTEAD).replace(' ', ' +')})\b", re.IGNORECASE)
READ = (".py", ".js", ".css", ".html", ".md", ".yaml", ".toml", ".txt")
# Texts of others, prompts that are part of a judge's identity, pictures in words, and the tests themselves.
LEFT_OUT = (
    "configs/instruments/",
    "configs/prompts/",
    "configs/taxonomies/",
    "data/samples/",
    "docs/images/",
    "tests/",
)


def find_stumbles(text: str) -> Iterator[tuple[int, str]]:
    """Yield (line, words) for each place; a line's end counts as a space."""
    spaced = re.sub(r"\n[\s#*]*", lambda end: " " * len(end.group()), text)
    for stumble in STUMBLES.finditer(spaced):
        yield text.count("\n", 0, stumble.start()) + 1, " ".join(stumble.group().split())


def main(rooms: Sequence[str]) -> int:
    listed = subprocess.run(
        ["git", "ls-files", *rooms], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    stumbles = [
        f"{name}:{line}: {words}"
        for name in listed
        if name.endswith(READ) and not name.startswith(LEFT_OUT)
        for line, words in find_stumbles((ROOT / name).read_text(encoding="utf-8"))
    ]
    print(*stumbles, sep="\n", end="\n" if stumbles else "")
    return int(bool(stumbles))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
