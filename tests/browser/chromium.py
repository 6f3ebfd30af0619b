"""Which browser the tests drive, and a plain sentence where there is none."""

from __future__ import annotations

import os
import shutil
import sys

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def executable() -> str | None:
    return os.environ.get("CHROMIUM") or next(
        (p for n in ("chromium", "chromium-browser", "google-chrome") if (p := shutil.which(n))), None
    )


if __name__ == "__main__" and executable() is None:
    sys.exit(
        "The browser tests need Chromium. On Debian: apt-get install chromium. Elsewhere: set "
        "CHROMIUM=/path/to/chrome."
    )
