"""That somebody opened a study as its lead: an entry of the trail without a row, because a study lead is none
of its raters.

Their browser keeps the number of the entry and a token. The entry holds the token's hash only, so that
nobody who reads the trail can make up a proof.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets

from sqlalchemy import Connection, select

from data import schema

ACTION = "open as lead"
_PROOF = re.compile(r"([1-9][0-9]{0,17})\.([\w-]{22})", re.ASCII)


def make_token() -> tuple[str, str]:
    """Return a new random token for a browser, and its hash for the entry's detail `browser`."""
    token = secrets.token_urlsafe(16)
    return token, _hash(token)


def make_proof(seq: int, token: str) -> str:
    """Return what a browser keeps: "seq.token", with the number of the entry."""
    return f"{seq}.{token}"


def is_recorded(connection: Connection, study_id: int, proof: str) -> bool:
    """Tell whether the trail has the entry, of this study, that `proof` was made with; False for any other
    text.
    """
    table, parts = schema.trail, _PROOF.fullmatch(proof)
    if parts is None:
        return False
    detail = connection.execute(
        select(table.c.detail).where(
            table.c.seq == int(parts[1]), table.c.action == ACTION, table.c.study == study_id
        )
    ).scalar()
    return detail is not None and json.loads(detail).get("browser") == _hash(parts[2])


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
