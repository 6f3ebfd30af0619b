"""A client of another package: whatever it answers or raises is an answer that counts, or a failure."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import pytest

from scoring.judges.catalogue import JudgeUnusable, load_catalogue
from scoring.judges.checked_client import CheckedClient, check_answer
from scoring.judges.judge_client import BatchFailed, BatchJob, JudgeAnswer, Usage, WithoutBatches
from scoring.judges.open_client import open_judge_client
from scoring.judges.provider_registry import PROVIDERS
from tests.servers.extension_package import Packages
from tests.servers.judges import request

WORDS = "what the client said in confidence"
MODULE = """
from scoring.judges.judge_provider import JudgeProvider
class ODD(JudgeProvider):
    adapter = "odd 1"
    {more}
    async def ask(self, request, room=1):
        raise RuntimeError(request.user)
"""
MODELS = """
judges:
  odd: {provider: odd, model: odd-1, data_classes: [synthetic]}
  local: {provider: openai_compatible, model: m, base_url: "http://127.0.0.1:9/v1", data_classes: [synthetic]}
"""


class _Client(WithoutBatches):
    adapter = "odd 1"

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    async def ask(self, request: Any, room: int = 1) -> Any:
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer

    async def close(self) -> None:
        raise RuntimeError("never mind")


def asked(answer: Any) -> JudgeAnswer:
    async def once() -> JudgeAnswer:
        client = CheckedClient(_Client(answer), is_own=False)
        try:
            return await client.ask(request())
        finally:
            await client.close()

    return asyncio.run(once())


def test_a_good_answer_passes_unchanged() -> None:
    answer = JudgeAnswer("ok", text="{}", served="odd-1", finish="stop", usage=Usage(10, 5), http=200)
    assert asked(answer) == answer


@pytest.mark.parametrize(
    "answer",
    [None, "YES", {"status": "ok"}, 7, JudgeAnswer("fine", text="{}"), JudgeAnswer("not_sent_policy")],
    ids=repr,
)
def test_what_is_no_answer_is_a_failure(answer: Any) -> None:
    assert asked(answer) == JudgeAnswer(
        "transport", detail="the provider gave no answer of the form asked for"
    )


def test_an_exception_is_a_failure_without_its_words() -> None:
    answer = asked(ValueError(WORDS))
    assert answer == JudgeAnswer("transport", detail="the provider failed (ValueError)")


@pytest.mark.parametrize("text", [None, "", 7, b"{}"])
def test_ok_without_a_text_is_unreadable(text: Any) -> None:
    assert asked(JudgeAnswer("ok", text=text)).status == "invalid"


@pytest.mark.parametrize(
    "usage",
    [
        Usage(-1, 5),
        Usage(1, -5),
        Usage(1.5, 5),  # type: ignore[arg-type]
        Usage(True, 5),
        Usage(1, 5, cached=2),
        Usage(1, 10**12),
        (1, 5),
        {"input": 1},
    ],
    ids=repr,
)
def test_tokens_that_cannot_be_are_not_told_so_that_the_dearest_is_counted(usage: Any) -> None:
    assert check_answer(JudgeAnswer("ok", text="{}", usage=usage), is_own=False).usage is None


@pytest.mark.parametrize(
    ("wait", "seconds"),
    [(3, 3.0), (-1, 0.0), (1e9, 86_400.0), (math.nan, None), (math.inf, None), ("3", None), (True, None)],
)
def test_a_wait_is_a_number_of_seconds_of_at_most_a_day(wait: Any, seconds: float | None) -> None:
    assert check_answer(JudgeAnswer("quota", wait=wait), is_own=False).wait == seconds


@pytest.mark.parametrize("is_own", [True, False])
@pytest.mark.parametrize("tokens", [10**30, -1])
def test_an_answer_is_kept_whatever_it_says_of_its_tokens(tokens: int, is_own: bool) -> None:
    answer = JudgeAnswer("ok", text="{}", served="m", usage=Usage(tokens, 5))
    assert check_answer(answer, is_own) == JudgeAnswer("ok", text="{}", served="m")


@pytest.mark.parametrize("is_own", [True, False])
def test_texts_that_cannot_be_kept_are_cut_and_cleaned(is_own: bool) -> None:
    answer = check_answer(
        JudgeAnswer("transport", said="\ud800\x00" * 10**5, served="m" * 10**6, finish=["stop"]),  # type: ignore[arg-type]
        is_own,
    )
    assert answer.said == "?\ufffd" * 5_000
    assert (answer.finish, len(answer.served or "") <= 200) == (None, True)
    long = check_answer(JudgeAnswer("ok", text="x" * 1_000_001), is_own)
    assert (long.status, long.detail) == ("invalid", "a reply of more than 1,000,000 characters")
    assert long.text == "x" * 1_000_000


def test_a_client_of_ours_keeps_its_own_words_and_fails_its_call_where_it_raises() -> None:
    async def ask(answer: Any) -> JudgeAnswer:
        return await CheckedClient(_Client(answer), is_own=True).ask(request())

    told = JudgeAnswer("not_recorded", detail="it ended with none", safety=("A=LOW blocked",))
    assert asyncio.run(ask(told)) == told
    assert asyncio.run(ask(OverflowError(WORDS))).detail == "the provider failed (OverflowError)"


def test_answers_of_a_batch_are_looked_at_too() -> None:
    class Batches(_Client):
        async def look(self, job: str) -> BatchJob:
            if job == "gone":
                raise BatchFailed(JudgeAnswer("gone", said="\x00"))
            return BatchJob(True, {"a": JudgeAnswer("ok", text="{}", usage=Usage(10**30, 1))})

    client = CheckedClient(Batches(None), is_own=True)
    assert asyncio.run(client.look("j")).answers == {"a": JudgeAnswer("ok", text="{}")}
    with pytest.raises(BatchFailed) as failed:
        asyncio.run(client.look("gone"))
    assert failed.value.answer == JudgeAnswer("gone", said="\ufffd")


def test_words_in_a_detail_lie_where_they_can_be_erased() -> None:
    answer = check_answer(
        JudgeAnswer("rejected", detail=WORDS, response_id=WORDS, finish=WORDS), is_own=False
    )
    assert (answer.detail, answer.response_id, answer.finish, answer.said) == ("", None, None, WORDS)


def catalogue(packages: Packages, module: str) -> Any:
    packages.add("odd-judge", PROVIDERS.group, {"odd": "odd_judge:ODD"}, {"odd_judge.py": module})
    (packages.folder / "models.yaml").write_text(MODELS, encoding="utf-8")
    return load_catalogue(packages.folder / "models.yaml")


def test_a_client_that_raises_fails_its_call(packages: Packages) -> None:
    client = open_judge_client(catalogue(packages, MODULE.format(more="pass")), "odd")
    assert client.adapter == "odd/1"
    assert asyncio.run(client.ask(request())).detail == "the provider failed (RuntimeError)"
    assert asyncio.run(client.ask(request(data_class="phi"))).status == "not_sent_policy"


@pytest.mark.parametrize(
    ("module", "says"),
    [
        ("import nothing_of_this_name", "could not be loaded: ModuleNotFoundError"),
        (MODULE.format(more="replays = True"), "can't be used: replays and batches"),
        (
            MODULE.format(more="@classmethod\n    def check(cls, entry): 1 / 0"),
            r"failed \(ZeroDivisionError\), so odd cannot be asked",
        ),
        (
            MODULE.format(more="@classmethod\n    def missing(cls, entry, *more): 1 / 0"),
            r"failed \(ZeroDivisionError\), so odd cannot be asked",
        ),
        (
            MODULE.format(more="def __init__(self, entry): 1 / 0"),
            r"could not be opened \(ZeroDivisionError\)",
        ),
    ],
)
def test_a_broken_provider_says_so_of_its_judge_alone(packages: Packages, module: str, says: str) -> None:
    judges = catalogue(packages, module)
    assert judges.missing("local") is None and judges.entry("local").takes_batches is False
    with pytest.raises(JudgeUnusable, match=rf"odd.* of the package odd-judge 0\.1 {says}"):
        open_judge_client(judges, "odd")


def test_options_are_those_of_the_provider_and_part_of_the_identity(packages: Packages) -> None:
    judges = catalogue(packages, MODULE.format(more="options = frozenset({'style'})"))
    entry = judges.entry("odd")
    assert entry.parameters() == {"max_output_tokens": 2048}
    styled = entry.model_validate({**entry.model_dump(exclude_unset=True), "options": {"style": "plain"}})
    assert styled.parameters()["options"] == {"style": "plain"}
    with pytest.raises(ValueError, match="odd has no option 'tone'; its options: style"):
        entry.model_validate({**entry.model_dump(exclude_unset=True), "options": {"tone": "plain"}})
