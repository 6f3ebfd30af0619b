"""The sample studies: their folder, and the order in which they are added, by their keys."""

from __future__ import annotations

from pathlib import Path

SAMPLES = Path(__file__).resolve().parent.parent / "data" / "samples"
ORDER = ("coaching_example", "coaching_demo", "plan_demo", "lend_an_ear", "vera_mh", "judge_change")
