"""Show the progress of long work in a terminal: one updated line, or a line now and then if the output goes
to a file.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from cli.terminal import echo, one_line, renew_line
from reports.wording import describe_time_left
from runs.time_left import TimeLeft

RENEWED = 0.2  # seconds between updates of a line in a terminal
NOW_AND_THEN = 30.0  # seconds between lines in a file
INTERRUPTED = 130  # a shell's exit status for Ctrl+C
KEPT = "Everything that was done is kept."
NOTHING_KEPT = "Nothing was changed."
AGAIN = "The same command continues from there."

Progress = Callable[[float, float], None]  # steps done, of how many


class ProgressLine:
    """Prints the progress to stderr when called with (steps, total): `words(steps, total)`, then the time
    left.
    """

    def __init__(
        self, words: Callable[[float, float], str], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.words, self._clock = words, clock
        self._left = TimeLeft(clock)
        self._renews = sys.stderr.isatty()
        self._written_at = clock() - (NOW_AND_THEN - 2 if not self._renews else RENEWED)
        self._width = 0

    def __call__(self, steps: float, total: float) -> None:
        seconds = self._left.seconds(steps, total)
        moment = self._clock()
        if moment - self._written_at < (RENEWED if self._renews else NOW_AND_THEN):
            return
        self._written_at = moment
        left = describe_time_left(seconds)
        line = one_line(f"{self.words(steps, total)}{f', {left}' if left else ''}")
        if self._renews:
            renew_line(line, self._width)
            self._width = len(line)
        else:
            echo(line, err=True)

    def end(self) -> None:
        """Clear the line."""
        if self._width:
            renew_line("", self._width)
            self._width = 0


@contextmanager
def progress_line(words: Callable[[float, float], str], stopped: str) -> Iterator[ProgressLine]:
    """Give a ProgressLine for the time of the work. `stopped`: printed if Ctrl+C ends the work."""
    line = ProgressLine(words)
    try:
        yield line
    except KeyboardInterrupt:
        line.end()
        echo(f"Stopped. {stopped}", err=True)
        sys.exit(INTERRUPTED)
    finally:
        line.end()


def counted(what: str, unit: str) -> Callable[[float, float], str]:
    """Return the text for counted work, such as "metrics of vera_mh: 32 of 90 conversations"."""
    return lambda steps, total: f"{what}: {int(steps):,} of {int(total):,} {unit}"


def percent_of(what: str) -> Callable[[float, float], str]:
    """Return the text for work measured as a share, such as "reading labels.csv: 40%"."""
    return lambda steps, total: f"{what}: {int(100 * steps / total) if total else 0}%"
