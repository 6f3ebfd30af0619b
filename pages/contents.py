"""The pages of the app, in the order of the navigation. Each is found in the session under its name here."""

from __future__ import annotations

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages import adjudication, agreement, calibration, calls, importing, judges, lead, metrics, my_work, review, runs, study_list


def pages() -> dict[str, StreamlitPage]:
    return {
        "page_studies": st.Page(study_list.render, title="Studies", url_path="studies", default=True),
        "page_my_work": st.Page(my_work.render, title="My work", url_path="my-work"),
        "page_review": st.Page(review.render, title="Review", url_path="review"),
        "page_lead": st.Page(lead.render, title="Lead", url_path="lead"),
        "page_agreement": st.Page(agreement.render, title="Agreement", url_path="agreement"),
        "page_adjudication": st.Page(adjudication.render, title="Disagreements", url_path="adjudication"),
        "page_metrics": st.Page(metrics.render, title="Metrics", url_path="metrics"),
        "page_runs": st.Page(runs.render, title="Runs", url_path="runs"),
        "page_judges": st.Page(judges.render, title="Judges", url_path="judges"),
        "page_calls": st.Page(calls.render, title="Calls", url_path="calls", visibility="hidden"),
        "page_calibration": st.Page(calibration.render, title="Calibration", url_path="calibration", visibility="hidden"),
        "page_importing": st.Page(importing.render, title="Import", url_path="importing"),
    }
