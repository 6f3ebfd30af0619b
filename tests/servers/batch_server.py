"""Batch jobs for the loopback model server: handed over, looked at, called off, in the forms that Google's
service uses.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.servers.model_server import MODEL, Reply, Seen, as_json, error, well

Items = list[dict[str, Any]]


@dataclass
class Batches:
    """`looks`: how often a job is looked at before it is over; `late_answers`: how often after it was called
    off. `spoil`: what becomes of its answers. `end`: the state it ends in.

    `refuse`: what is said instead of taking a job; with `lose_reply` it is taken all the same.
    """

    looks: int = 1
    end: str = "BATCH_STATE_SUCCEEDED"
    spoil: Callable[[Items], Items] = lambda items: items
    refuse: Reply | None = None
    jobs: dict[str, Items] = field(default_factory=dict)
    looked: dict[str, int] = field(default_factory=dict)
    called_off: list[str] = field(default_factory=list)
    online: int = 0
    lose_reply: bool = False
    labels: dict[str, str] = field(default_factory=dict)
    late_answers: int = 0
    refuse_cancel: int = 0

    def __call__(self, seen: Seen) -> Reply:
        if seen.path.endswith(":batchGenerateContent"):
            reply = self._hand_over(seen) if self.refuse is None or self.lose_reply else None
            return self.refuse or reply or error(500, "INTERNAL")
        if seen.path.endswith(":cancel") and self.refuse_cancel > 0:
            self.refuse_cancel -= 1
            return error(500, "INTERNAL")
        if seen.path.endswith(":cancel"):
            self.called_off.append(seen.path.split("/")[-1].split(":")[0])
            return as_json({})
        if seen.method == "GET" and seen.path.endswith("/batches"):
            return as_json(
                {
                    "operations": [
                        {"name": f"batches/{name}", "metadata": {"displayName": label}}
                        for name, label in self.labels.items()
                    ]
                }
            )
        if "/batches/" in seen.path:
            return self._look(seen.path.split("/")[-1])
        self.online += 1
        return well(seen, "NO")

    def _hand_over(self, seen: Seen) -> Reply:
        name = f"job{len(self.jobs) + 1}"
        self.labels[name] = seen.body["batch"]["displayName"]
        self.jobs[name] = [
            self._answer(request) for request in seen.body["batch"]["inputConfig"]["requests"]["requests"]
        ]
        return as_json(
            {
                "name": f"batches/{name}",
                "metadata": {"state": "BATCH_STATE_PENDING", "model": f"models/{MODEL}"},
            }
        )

    def _answer(self, one: dict[str, Any]) -> dict[str, Any]:
        request = one["request"]
        schema = request["generationConfig"]["responseJsonSchema"]
        reply = json.loads(
            well(Seen(0, "POST", f"/v1/models/{MODEL}:generateContent", request, {}), "YES").body
        )
        text = json.loads(reply["candidates"][0]["content"]["parts"][0]["text"])
        text["request_id"] = schema["properties"]["request_id"]["enum"][0]
        reply["candidates"][0]["content"]["parts"][0]["text"] = json.dumps(text)
        return {"response": reply, "metadata": one["metadata"]}

    def _look(self, name: str) -> Reply:
        if name not in self.jobs:
            return error(404, "NOT_FOUND")
        self.looked[name] = self.looked.get(name, 0) + 1
        if name in self.called_off and self.late_answers > 0:
            self.late_answers -= 1
            return as_json({"name": f"batches/{name}", "metadata": {"state": "BATCH_STATE_RUNNING"}})
        if self.looked[name] <= self.looks and name not in self.called_off:
            return as_json({"name": f"batches/{name}", "metadata": {"state": "BATCH_STATE_RUNNING"}})
        return as_json(
            {
                "name": f"batches/{name}",
                "metadata": {
                    "state": self.end if name not in self.called_off else "BATCH_STATE_CANCELLED",
                    "output": {"inlinedResponses": {"inlinedResponses": self.spoil(self.jobs[name])}},
                },
            }
        )
