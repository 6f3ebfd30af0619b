"""What a client knows of certificates, read once a process: each client of a judge reads hundreds of them anew, and
those of the tests speak to their own machine without any.
"""

from __future__ import annotations

import os
import ssl
from functools import cache
from typing import Any

_make = ssl.create_default_context
PLACES = ("SSL_CERT_FILE", "SSL_CERT_DIR")  # where a client is told to read them


def share_tls_contexts() -> None:
    """For every client that is made from now on in this process."""

    def create_default_context(
        purpose: ssl.Purpose = ssl.Purpose.SERVER_AUTH,
        *,
        cafile: Any = None,
        capath: Any = None,
        cadata: Any = None,
    ) -> ssl.SSLContext:
        return _context(purpose, cafile, capath, cadata, *map(os.environ.get, PLACES))

    ssl.create_default_context = create_default_context


@cache
def _context(purpose: ssl.Purpose, cafile: Any, capath: Any, cadata: Any, *_: str | None) -> ssl.SSLContext:
    return _make(purpose, cafile=cafile, capath=capath, cadata=cadata)
