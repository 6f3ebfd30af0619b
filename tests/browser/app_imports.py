"""What a server has imported once it has drawn a page. Importing it starts nothing."""

import streamlit.web.bootstrap
import streamlit.web.cli  # noqa: F401

import pages.widgets.navigation
import runs.prepare
import runs.web_access  # noqa: F401
