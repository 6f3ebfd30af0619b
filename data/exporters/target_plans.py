"""Write the current target plans of a study as one JSON file that can be imported."""

from __future__ import annotations

import json
from typing import Any

from data.record import target_plans
from data.record.studies import Study
from data.store.errors import Refused
from data.store.store import Connection


def text(connection: Connection, study: Study) -> tuple[str, int]:
    """Return the file's text and the number of plans. Raises Refused if there is none."""
    document: dict[str, Any] = {"meta": {"study": study.key}, "study": None, "conditions": {}, "plans": {}}
    count = 0
    for scope, versions in target_plans.versions(connection, study.id).items():
        present = versions[0]
        if present.text is None:
            continue
        level, _, name = scope.partition(":")
        plan = {"plan": present.text, "version": present.version, "source": present.source}
        if level == "study":
            document["study"] = plan
        else:
            document["conditions" if level == "condition" else "plans"][name] = plan
        count += 1
    if not count:
        raise Refused("no_target_plan_yet", study=study.key)
    return json.dumps(
        {name: value for name, value in document.items() if value is not None}, ensure_ascii=False, indent=1
    ) + "\n", count
