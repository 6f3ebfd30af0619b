"""What a server has loaded once it has drawn its pages. Importing it starts nothing."""

from __future__ import annotations

import functools

import pandas
import plotly.tools
import streamlit.web.cli
import uvicorn.protocols.http.auto
import uvicorn.protocols.websockets.auto
from streamlit.components.v2 import manifest_scanner

import pages.widgets.navigation
import runs.prepare
import runs.web_access

__all__ = ["pages", "pandas", "plotly", "runs", "streamlit", "uvicorn"]

# At its start a server reads the description of every installed package, to look for components.
manifest_scanner.scan_component_manifests = functools.cache(manifest_scanner.scan_component_manifests)
manifest_scanner.scan_component_manifests()
