"""python -m tests.servers.tabs_of_server STUDY closed|changed: the app's own server in this process, on the store of the
environment. Two tabs open the Agreement page of a study over websockets; both are closed, or one, before the study
changes. Prints as JSON what of them was alive then.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import socket
import sys
import threading
from collections import Counter
from contextlib import closing
from functools import cache

import uvicorn
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

import app
from data.record import studies
from data.store.store import open_store
from pages.widgets import closed_tabs
from pages.widgets.reader_session import LEAD
from pages.widgets.remembered_person import COOKIE
from tests.studies.known_browsers import cookie_of_reader

WATCHED = {"Findings", "SharedResult"}
FINISHED = ForwardMsg.ScriptFinishedStatus.FINISHED_SUCCESSFULLY
PATIENCE = 120.0  # seconds


async def open_tab(port: int, study: str) -> ClientConnection:
    """A tab whose page was drawn to its end."""
    tab = await connect(
        f"ws://127.0.0.1:{port}/_stcore/stream",
        subprotocols=[Subprotocol("streamlit")],
        max_size=None,
        origin=f"http://127.0.0.1:{port}",  # type: ignore[arg-type]
        additional_headers={"Cookie": f"{COOKIE}={_remembered(study)}"},
    )
    await draw(tab, study)
    return tab


@cache
def _remembered(study: str) -> str:
    """That the browser opened the study as its lead."""
    with closing(open_store(os.environ["SECOND_READER_DATABASE_URL"])) as store:
        return cookie_of_reader(store, study, LEAD)


async def draw(tab: ClientConnection, study: str) -> None:
    """To the end of the page."""
    asked = BackMsg()
    asked.rerun_script.query_string = f"study={study}&reader={LEAD}"
    asked.rerun_script.page_name = "agreement"
    await tab.send(asked.SerializeToString())
    while True:
        answer = ForwardMsg()
        answer.ParseFromString(await tab.recv(decode=False))
        if answer.WhichOneof("type") == "script_finished" and answer.script_finished == FINISHED:
            return


def count_alive() -> dict[str, int]:
    gc.collect()
    counted = Counter(type(thing).__name__ for thing in gc.get_objects() if type(thing).__name__ in WATCHED)
    return {name: counted[name] for name in sorted(WATCHED)}


def change_study(study: str) -> None:
    """By another process than the server, as far as it can tell: through a store of its own."""
    store = open_store(os.environ["SECOND_READER_DATABASE_URL"])
    with store.writing("tests", "add a rater") as (connection, entry):
        changed = studies.find(connection, study)
        assert changed is not None
        studies.add_rater(connection, entry, changed.id, "Somebody New")
    store.close()


async def visit_changed(port: int, study: str) -> dict[str, dict[str, int]]:
    """A tab that was closed a moment ago and one that somebody reads; then the study changes, and the second is
    drawn anew.
    """
    alive = {}
    closed, watched = await open_tab(port, study), await open_tab(port, study)
    alive["before"] = count_alive()
    await closed.close()
    change_study(study)
    await draw(watched, study)
    alive["after"] = count_alive()
    assert len(closed_tabs._tabs._left_since) == 2  # what was typed in it is kept for whoever comes back
    await watched.close()
    return alive


async def visit(port: int, study: str) -> dict[str, dict[str, int]]:
    alive = {}
    first = await open_tab(port, study)
    alive["one tab"] = count_alive()
    second = await open_tab(port, study)
    alive["two tabs"] = count_alive()
    await first.close()
    async with asyncio.timeout(PATIENCE):
        while len(closed_tabs._tabs._left_since) > 1:
            await asyncio.sleep(0.05)
    alive["one closed"] = count_alive()
    await second.close()
    async with asyncio.timeout(PATIENCE):
        while closed_tabs._tabs._left_since:
            await asyncio.sleep(0.05)
    for _ in range(100):  # the server lets go what it has just taken from its list
        alive["both closed"] = count_alive()
        if not any(alive["both closed"].values()):
            break
        await asyncio.sleep(0.05)
    return alive


VISITS = {"closed": visit, "changed": visit_changed}


def main(study: str, occasion: str) -> None:
    if occasion == "closed":
        closed_tabs.GRACE, closed_tabs.LOOK_EVERY = 0.0, 0.05
    else:  # nothing is closed because its time is over
        closed_tabs.GRACE = closed_tabs.LOOK_EVERY = 2 * PATIENCE
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        server = uvicorn.Server(uvicorn.Config(app.app, log_level="warning"))
        running = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        running.start()
        alive = asyncio.run(VISITS[occasion](listening.getsockname()[1], study))
        server.should_exit = True
        running.join()
    print(json.dumps(alive))


if __name__ == "__main__":
    main(*sys.argv[1:])
