"""The words of the verdicts stand in one table of the docs and in one of the code."""

from __future__ import annotations

import re
from pathlib import Path

from reports.verdict_table import SETTLE_FIRST, VERDICTS
from scoring.agreement.verdicts.verdict_rule import TrustVerdict

DOCS = Path(__file__).parents[3] / "docs" / "reference_statistics.md"
MAX_WORDS_OF_HEADLINE = 14


def test_the_docs_say_what_the_code_says() -> None:
    written = re.findall(r"^\| `(\w+)` \| ([a-z ]+) \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    assert dict(written) == {str(verdict): wording.word for verdict, wording in VERDICTS.items()}
    assert len(written) == len(TrustVerdict)


def test_no_two_verdicts_have_the_same_words_and_a_headline_is_short() -> None:
    wordings = [*VERDICTS.values(), SETTLE_FIRST]
    assert len({wording.word for wording in wordings}) == len({wording.clause for wording in wordings}) == 7
    for wording in wordings:
        assert len(f"{wording.clause} on all 12 criteria".split()) <= MAX_WORDS_OF_HEADLINE
