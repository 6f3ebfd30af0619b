"""What a server has loaded once it has drawn its pages. Importing it starts nothing."""

from __future__ import annotations

import functools
import gc
from importlib import import_module

from streamlit.components.v2 import manifest_scanner

MODULES = (
    "streamlit.web.cli",
    "uvicorn.protocols.http.auto",
    "uvicorn.protocols.websockets.auto",
    "pandas",
    "scipy.stats",
    "plotly.tools",
    "pages.widgets.bar.bar",
    "pages.widgets.closed_tabs",
    "pages.widgets.navigation",
    "pages.widgets.server_lifetime",
    "pages.widgets.shared_store",
    "pages.widgets.theme",
    "runs.prepare",
    "runs.web_access",
)
for name in MODULES:
    import_module(name)

# At its start a server reads the description of every installed package, to look for components.
scan = functools.cache(manifest_scanner.scan_component_manifests)
manifest_scanner.scan_component_manifests = scan
scan()

# A forked process that collects garbage touches, and so copies, all that it shares with this one.
gc.collect()
gc.freeze()
