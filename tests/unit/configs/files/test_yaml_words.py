"""A models.yaml that cannot be used: where, what is wrong, and what to do, in words that need no
programmer.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from configs.files.yaml_files import ConfigFileError
from configs.files.yaml_words import unreadable
from scoring.instruments import parse_instrument
from scoring.judges.catalogue import load_catalogue

JUDGE = "judges:\n  mine:\n    provider: gemini\n    model: m\n    key: GEMINI_API_KEY\n"
BELOW = "expected fields with values, indented, one per line, found"
IN_YAML = "means something else in YAML; put it in quotes"
JARGON = re.compile(
    r"NoneType|\b(str|dict|int|tuple|dictionary|instance|token|stream|mapping|Input|String|pattern|parse|NaN)\b|valid|<|\[key\]|the file as a whole|"
    r"second occurrence"
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "",
            "models.yaml, line 1: expected fields with values, such as title: Example, found nothing but "
            "blanks and comments.",
        ),
        (
            "# later\n",
            "models.yaml, line 1: expected fields with values, such as title: Example, found nothing but "
            "blanks and comments.",
        ),
        ("- a\n", "models.yaml, line 1: expected fields with values, such as title: Example, found a list."),
        (
            "only words\n",
            "models.yaml, line 1: expected fields with values, such as title: Example, found only words.",
        ),
        ("judges:\n", f"models.yaml, line 1, field judges: {BELOW} nothing."),
        ("judges: {}\n", "models.yaml, line 1, field judges: expected at least 1 entry, found 0."),
        ("judges: [a]\n", f"models.yaml, line 1, field judges: {BELOW} a list."),
        ("judges:\n  mine: gemini\n", f"models.yaml, line 2, field judges.mine: {BELOW} 'gemini'."),
        (
            f"{JUDGE}    served_as: other\n",
            "models.yaml, line 6, field judges.mine.served_as: expected a list, such as [first, second], "
            "found 'other'.",
        ),
        (f"{JUDGE}    prompts: mine\n", f"models.yaml, line 6, field judges.mine.prompts: {BELOW} 'mine'."),
        (f"{JUDGE}    price: 3\n", f"models.yaml, line 6, field judges.mine.price: {BELOW} 3."),
        (
            f"{JUDGE}    rpm: 1.5\n",
            "models.yaml, line 6, field judges.mine.rpm: expected a whole number, found 1.5.",
        ),
        (
            f"{JUDGE}    temperature: 3\n",
            "models.yaml, line 6, field judges.mine.temperature: expected 2 or less, found 3.",
        ),
        (
            f"{JUDGE}    base_url: 3\n",
            "models.yaml, line 6, field judges.mine.base_url: expected a text, found 3; put it in quotes.",
        ),
        (
            f"{JUDGE}    base_url: no\n",
            "models.yaml, line 6, field judges.mine.base_url: expected a text, found no, off or false; put "
            "it in quotes.",
        ),
        (
            f"{JUDGE}    price: {{date: 2026, currency: USD, input: '1', output: '1'}}\n",
            "models.yaml, line 6, field judges.mine.price.date: expected a text, found 2026; put it in "
            "quotes.",
        ),
        (
            f"{JUDGE}    price: {{date: '2026-11-01', currency: usd, input: '1', output: '1'}}\n",
            "models.yaml, line 6, field judges.mine.price.currency: expected three capital letters, such as "
            "USD, found 'usd'.",
        ),
        (
            f"{JUDGE}    enterprise: {{project: P_1, location: ''}}\n",
            "models.yaml, line 6, field judges.mine.enterprise.location: expected a text that is not empty, "
            "found ''.",
        ),
        (
            JUDGE.replace("mine", "my judge"),
            "models.yaml, line 2, field judges.my judge: expected a name of letters, digits, dots, hyphens "
            "and underscores, "
            "without blanks, 64 at most, found 'my judge'.",
        ),
        (
            f"{JUDGE}  again:\n    provider: replay\n    replays: nobody\n    recordings: r\n",
            "models.yaml: again replays 'nobody', which is not the name of another judge of this file.",
        ),
        (
            "judges: &a\n  mine: &a x\n",
            f"models.yaml, line 2: the file can't be read from here on: a text that begins with & or * {IN_YAML}.",
        ),
        (
            "judges:\n  mine: *x\n",
            f"models.yaml, line 2: the file can't be read from here on: a text that begins with & or * {IN_YAML}.",
        ),
        (
            "judges: !x y\n",
            f"models.yaml, line 1: the file can't be read from here on: a text that begins with ! {IN_YAML}.",
        ),
        (
            "judges:\n  mine: @x\n",
            "models.yaml, line 2: the file can't be read from here on: a text can't begin with @; put it in "
            "quotes.",
        ),
        (
            "judges:\n\tmine: x\n",
            "models.yaml, line 2: the file can't be read from here on: the line is indented with a tab; use "
            "blanks.",
        ),
        (
            "judges:\n  mine: a: b\n",
            "models.yaml, line 2: the file can't be read from here on: there is a colon too many, or the line is indented too far; put a text with a colon in quotes.",
        ),
        (
            "judges:\n  mine:\n    provider: gemini\n   model: x\n",
            "models.yaml, line 4: the file can't be read from here on: the line is not indented like its neighbours, or a colon is missing after the name of a field.",
        ),
        (
            "judges: {mine: {provider: gemini\n",
            "models.yaml, line 2: the file can't be read from here on: a quote or a bracket above is never closed.",
        ),
        (
            'judges:\n  mine: "x\n',
            "models.yaml, line 3: the file can't be read from here on: a quote or a bracket above is never closed.",
        ),
        (
            "judges: {}\n---\njudges: {}\n",
            "models.yaml, line 2: the file can't be read from here on: there is a --- in the middle of the file; remove it.",
        ),
        (
            "judges:\n  mi\x07ne: x\n",
            "models.yaml, line 2: the file can't be read from here on: it holds a character that is not text; delete it.",
        ),
        (
            "judges: 2026-13-45\n",
            f"models.yaml, line 1, field judges: {BELOW} '2026-13-45'.",
        ),
    ],
    ids=lambda value: repr(value)[:50],
)
def test_what_is_wrong_is_said_plainly(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "models.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigFileError) as caught:
        load_catalogue(tmp_path / "models.yaml")
    assert str(caught.value) == said
    assert not JARGON.search(said)


def test_what_nobody_thought_of_is_still_a_sentence() -> None:
    assert (
        unreadable("found unhashable key") == "the line is not valid YAML; compare it with the original file"
    )


def test_every_problem_is_named_with_its_line_and_none_that_follows_from_another() -> None:
    text = Path("configs/instruments/coaching_rubric.yaml").read_text(encoding="utf-8")
    wrong = text.replace("key: y,", "key: yes,").replace("kind: nominal", "kind: nomina")
    with pytest.raises(ConfigFileError) as caught:
        parse_instrument(wrong, "rubric")
    assert caught.value.problems == (
        "rubric, line 13, field scales.yes_no.kind: expected 'nominal' or 'ordinal', found 'nomina'.",
        "rubric, line 15, field scales.yes_no.levels.0.key: expected a text, found yes or true; put it in quotes.",
    )
    assert str(caught.value).endswith("found 'nomina' (1 more).")
    with pytest.raises(ConfigFileError) as caught:
        parse_instrument("\t", "rubric")
    assert caught.value.problems == (str(caught.value),)
