"""The processes of the bench `judging`: the model server, our run, and a bare loop over the same SDK that
keeps nothing.

Each imports what it needs and no more, because memory is measured too.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sqlite3
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench.memory import peak

JUDGE = "bench"
MODEL = "gemini-3.8-flash"
WINDOW, ALLOWED = 5.0, 100
HINT = 0.1  # seconds that a call refused by chance is told to wait


# The server: told by line what to do, it prints its port, and answers GET /counts


def server(kind: str, latency: float, refusing: float) -> None:
    """`kind`: flaky (one call in five fails once), well, fixed or sliding (100 calls in 5 s). `refusing`:
    seconds before a refusal.
    """
    from tests.servers.model_server import ModelServer

    running = ModelServer(Behaviour(kind, latency, refusing)).start()
    print(running.port, flush=True)
    sys.stdin.read()


class Behaviour:
    def __init__(self, kind: str, latency: float, refusing: float) -> None:
        self._kind, self._latency, self._refusing = kind, latency, refusing
        self._seen: Counter[str] = Counter()
        self._good: Counter[str] = Counter()
        self._refused = self._failed = 0
        self._taken: deque[float] = deque()
        self._window = 0.0
        self._bodies: dict[str, Any] = {}

    def __call__(self, seen: Any) -> Any:
        from tests.servers import model_server as made

        if seen.path == "/counts":
            return made.as_json(
                {
                    "hits": sum(self._seen.values()),
                    "prompts": len(self._seen),
                    "good": sum(self._good.values()),
                    "twice": sum(count > 1 for count in self._good.values()),
                    "refused": self._refused,
                    "failed": self._failed,
                }
            )
        prompt = hashlib.sha256(seen.prompt.encode()).hexdigest()
        schema, number = seen.schema, self._seen[prompt]
        seen.body = {}  # the bodies of a whole bench would fill the memory
        self._seen[prompt] += 1
        wait = self._closed_for(time.monotonic())
        fate = int(prompt[:8], 16) % 100 if self._kind == "flaky" and number == 0 else 100
        if wait is not None or fate < 8:
            self._refused += 1
            reply = made.too_many(HINT if wait is None else round(wait + 0.001, 3))
            reply.after = self._refusing
        elif fate < 20:
            self._failed += 1
            reply = made.error(503, "UNAVAILABLE") if fate < 16 else made.gemini('{"reasoning": "cut of')
            reply.after = self._latency
        else:
            self._good[prompt] += 1
            reply = self._good_reply(made, schema)
        return reply

    def _good_reply(self, made: Any, schema: Any) -> Any:
        key = json.dumps(schema)
        if key not in self._bodies:
            self._bodies[key] = made.gemini(made.valid_text(schema))
            self._bodies[key].after = self._latency
        return self._bodies[key]

    def _closed_for(self, now: float) -> float | None:
        """Seconds until the next call may be taken; None where this one is. A fixed window begins with the
        first call and then every 5 s.
        """
        if self._kind == "fixed":
            self._window = self._window or now
            while now >= self._window + WINDOW:
                self._window += WINDOW
                self._taken.clear()
            wait = self._window + WINDOW - now
        elif self._kind == "sliding":
            while self._taken and self._taken[0] <= now - WINDOW:
                self._taken.popleft()
            wait = self._taken[0] + WINDOW - now if self._taken else 0.0
        else:
            return None
        if len(self._taken) >= ALLOWED:
            return wait
        self._taken.append(now)
        return None


# Our run, as the command line makes it


def ours(folder: Path) -> None:
    import scoring.judges.gemini  # noqa: F401  as on the other side, the SDK is there before the clock starts
    from runs.judging import configure_run, judge_study

    options, settings, store = _opened(folder)
    setting = configure_run(store, settings, "bench", JUDGE)
    began, processor = time.perf_counter(), time.process_time()
    finished = judge_study(setting, options, "bench")
    took, used = time.perf_counter() - began, time.process_time() - processor
    store.close()
    heavy = sorted(
        {name.split(".")[0] for name in sys.modules}
        & {"torch", "streamlit", "pandas", "numpy", "scipy", "transformers", "pyarrow"}
    )
    print(
        json.dumps(
            {
                "seconds": took,
                "processor": used,
                "peak": peak(),
                "heavy": heavy,
                "said": finished.said,
                "outcome": finished.outcome,
            }
        ),
        flush=True,
    )


def _opened(folder: Path) -> Any:
    from configs.settings import Settings
    from data.record.judge_runs import JudgeRunOptions
    from data.store.store import open_store

    settings = Settings.read(
        {
            "SECOND_READER_DATABASE_URL": f"sqlite:///{folder / 'store.sqlite'}",
            "SECOND_READER_MODELS": str(folder / "models.yaml"),
        }
    )
    return JudgeRunOptions(), settings, open_store(settings.database_url)


# The bare loops


def bare(folder: Path, keep: Callable[[str, str], None] = lambda key, reply: None) -> None:
    """The same prompts, the same SDK, the same configuration object for each schema; 32 workers; nothing is
    kept.
    """
    from data.record import units
    from runs.judging import configure_run
    from runs.judging.pending import PendingCalls
    from scoring.judges.gemini import GeminiJudge

    _, settings, store = _opened(folder)
    setting = configure_run(store, settings, "bench", JUDGE)
    with store.reading() as connection:
        wanted = units.ids(connection, setting.study.id)
    requests = [
        call.request
        for call in PendingCalls(store, setting.caller, 0, wanted, [0], False).calls(lambda _: None)
    ]
    store.close()
    began, processor = time.perf_counter(), time.process_time()
    judge = GeminiJudge(setting.entry)
    answers = asyncio.run(_loop(judge, iter(requests), setting.entry.in_flight, keep))
    print(
        json.dumps(
            {
                "seconds": time.perf_counter() - began,
                "processor": time.process_time() - processor,
                "peak": peak(),
                "answers": answers,
            }
        ),
        flush=True,
    )


def simple(folder: Path) -> None:
    """The same with the simplest ledger there is: one table, and one durable commit for each answer."""
    connection = sqlite3.connect(folder / "simple.sqlite")
    connection.executescript(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE answer (key TEXT PRIMARY KEY, reply "
        "TEXT NOT NULL)"
    )

    def kept(key: str, reply: str) -> None:
        connection.execute("INSERT INTO answer VALUES (?, ?)", (key, reply))
        connection.commit()

    bare(folder, kept)
    connection.close()


async def _loop(judge: Any, waiting: Iterator[Any], workers: int, keep: Callable[[str, str], None]) -> int:
    from google.genai import errors

    answers: list[Any] = []

    async def one(request: Any) -> Any:
        config = judge.config(request)
        while True:
            try:
                reply = await judge.client.aio.models.generate_content(
                    model=MODEL, contents=request.user, config=config
                )
                answer = json.loads(reply.text)
                keep(request.key, reply.text)
                return answer
            except errors.ClientError as error:
                hint = error.details["error"]["details"][0]["retryDelay"]
                await asyncio.sleep(float(hint[:-1]))
            except (errors.ServerError, json.JSONDecodeError):
                pass

    async def work() -> None:
        for request in waiting:
            answers.append(await one(request))

    await asyncio.gather(*(work() for _ in range(workers)))
    await judge.close()
    return len(answers)


if __name__ == "__main__":
    if sys.argv[1] == "server":
        server(sys.argv[2], float(sys.argv[3]), float(sys.argv[4]))
    else:
        {"ours": ours, "bare": bare, "simple": simple}[sys.argv[1]](Path(sys.argv[2]))
