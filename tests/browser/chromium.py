"""Which browser the tests drive, and a plain sentence where there is none."""

from __future__ import annotations

import os
import shutil
import sys

# What Playwright turns off, whose own option this one takes the place of, and the pop-ups of the address bar: Chromium
# draws them as pages of their own for each window, which costs more than a third of opening a page of ours.
TURNED_OFF = (
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(TURNED_OFF)}",
]


# The first is the same browser without windows of its own, which take a tenth of the processor's time.
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def executable() -> str | None:
    return os.environ.get("CHROMIUM") or next(
        (path for name in PROGRAMS if (path := shutil.which(name))), None
    )


if __name__ == "__main__" and executable() is None:
    sys.exit(
        "The browser tests need Chromium. On Debian: apt-get install chromium. Elsewhere: set "
        "CHROMIUM=/path/to/chrome."
    )
