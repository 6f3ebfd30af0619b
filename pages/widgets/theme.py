"""The look of all pages, from our own styles only."""

from contextlib import AbstractContextManager, nullcontext

import streamlit as st

FULL_WIDTH = ("review", "gold")

STYLE = """
<style>
.stMainBlockContainer { padding: 0 20px .5rem; }
.st-key-page { max-width: 1248px; margin: 0 auto; }
.st-key-page :is(
  [data-testid="stTextInput"], [data-testid="stNumberInput"], [data-testid="stTextArea"],
  [data-testid="stSelectbox"], [data-testid="stMultiSelect"], [data-testid="stFileUploader"]
) { max-width: 46rem; }
.st-key-answer-page .sr-h1 { line-height: 1.3; margin: 0; }
[data-testid^="stBaseButton-primary"]:not(:disabled) { color: light-dark(#ffffff, #14181d); }
[data-testid="stMultiSelectTagsContainer"] [data-tag] * { color: light-dark(#ffffff, #14181d); }
[data-testid^="stBaseButton-primary"] kbd { color: inherit; opacity: 1; }
.st-key-bar {
  position: sticky; top: 0; z-index: 100; margin: 0 -20px;
  width: calc(100% + 40px) !important; max-width: none !important;
}
[data-testid="stLayoutWrapper"]:has(> .st-key-answers-place) { position: absolute; }
[data-testid="stHeader"] { top: 50px; height: 0; min-height: 0; background: none; overflow: visible; }
.st-key-help-sections { padding-left: .9rem; }
[class*="st-key-help-"] [data-testid="stPageLink-NavLink"] { background: none; padding: 4px 8px; }
[class*="st-key-help-"] [data-testid="stPageLink-NavLink"]:hover {
  background: light-dark(#f2f5f8, #1e262d);
}
[class*="st-key-help-"] [data-testid="stPageLink-NavLink"] * {
  font-weight: 400; white-space: normal; overflow: visible;
}
[class*="st-key-help-"] [data-testid="stPageLink-NavLink"] strong { font-weight: 650; }
.st-key-help-text { max-width: 76ch; }
.st-key-help-text [data-testid="stMarkdownContainer"] :is(h2, h3) {
  font-size: 1.15rem; padding: .8rem 0 .2rem;
}
.sr-text {
  max-width: 72ch; line-height: 1.55; margin: .2rem 0; white-space: pre-wrap; overflow-wrap: anywhere;
}
:where(.stHtml) a { color: light-dark(#1f5f8b, #7db7e0); }
.sr-small { font-size: .9rem; opacity: .85; margin: .1rem 0; overflow-wrap: anywhere; }
.sr-h1, .sr-h2, .sr-h3 { margin: .3rem 0; padding: 0; font-weight: 650; overflow-wrap: anywhere; }
.sr-h1 { font-size: 1.5rem; } .sr-h2 { font-size: 1.25rem; } .sr-h3 { font-size: 1.05rem; }
.sr-pre {
  white-space: pre-wrap; overflow-wrap: anywhere;
  font-size: .9rem; line-height: 1.5; max-width: 120ch; margin: 0;
}
.sr-wide { overflow-x: auto; }
.sr-table { border-collapse: collapse; font-size: .95rem; }
.sr-table caption { text-align: left; font-weight: 600; padding: .3rem 0; }
.sr-table caption, .sr-table .sr-long { overflow-wrap: anywhere; }
.sr-table .sr-long { min-width: 12ch; }
[data-testid="stMain"] :is(button, label, summary, [data-testid="stMarkdownContainer"]) {
  overflow-wrap: anywhere;
}
.sr-table th, .sr-table td {
  border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent);
  padding: .3rem .9rem .3rem 0; text-align: left; font-weight: 400; vertical-align: top;
}
.sr-table thead th { font-weight: 600; }
.sr-table .sr-num { text-align: right; font-variant-numeric: tabular-nums; }
.sr-square { min-width: 60ch; }
@media (min-width: 1200px) {
  .st-key-settle-card div:has(> .st-key-settle-decision) {
    position: sticky; bottom: 0; background: light-dark(#ffffff, #14181d); z-index: 1;
  }
}
@media (max-width: 1199px) {
  :is(.st-key-settle-card, div:has(> .st-key-settle-card)) { height: auto !important; overflow: visible; }
}
.st-key-settle-card, .st-key-settle-head { gap: .3rem; }
.st-key-settle-card :is(.stButton, .stFormSubmitButton) button { padding: .1rem .6rem; min-height: 1.85rem; }
.st-key-settle-card .sr-answer { margin: 0; }
.st-key-settle-card .sr-h3 { margin: 0; }
.st-key-plans-list { --around-list: 250px; }
@media (min-width: 641px) {
  .st-key-settle-card [data-testid="stForm"] [data-testid="stHorizontalBlock"] { flex-wrap: nowrap; }
}
@media (max-width: 640px) { .st-key-hint { display: none; } }
@media (max-width: 640px) { .st-key-settle-head [data-testid="stButtonGroup"] button { padding: 0 .4rem; } }
@media (max-width: 900px) {
  :is(.st-key-settle-panes, .st-key-unit-panes, .st-key-answer-page) > div > .stHorizontalBlock {
    flex-wrap: wrap;
    > .stColumn { flex-basis: 100%; min-width: 100%; }
  }
  .st-key-unit-panes .stColumn:last-child { order: -1; }
  .st-key-unit-labels { max-height: none; }
}
.sr-came-for { scroll-margin-top: 4.5rem; padding: .3rem .9rem 0; }
.st-key-unit-head { gap: .3rem; }
.sr-turn { white-space: nowrap; margin: 0; }
.sr-turn a + a { margin-left: .7rem; }
.st-key-unit-head .sr-h1 { font-size: 1.3rem; margin: 0; line-height: 1.35; }
.st-key-unit-head button { padding: .15rem .6rem; min-height: 2.1rem; }
.st-key-unit-panes { --unit-panes: max(300px, calc(100vh - 190px)); }
.st-key-unit-panes .sr-scroll { height: var(--unit-panes); }
.st-key-unit-labels { max-height: var(--unit-panes); overflow-y: auto; padding: 3px; }
.sr-square td, .sr-square th { padding: .3rem .7rem; }
.sr-same { outline: 1.5px solid currentColor; outline-offset: -2px; }
.sr-chart-title { font-size: .95rem; font-weight: 600; margin: .4rem 0 0; overflow-wrap: anywhere; }
.sr-strong { font-size: 1.1rem; font-weight: 600; max-width: 100ch; overflow-wrap: anywhere; }
.sr-message { padding: .35rem .7rem; border-left: 3px solid transparent; max-width: 72ch; }
.sr-message .sr-text { margin: 0; }
.sr-marked { border-left-color: currentColor; }
.sr-scroll {
  overflow-y: auto; height: calc(100vh - 205px); min-height: 300px;
  border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 8px;
  padding: .3rem .5rem 2rem;
}
.sr-excerpt {
  border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 8px;
  padding: .3rem .9rem .6rem; max-height: 26rem; overflow-y: auto;
}
.sr-window .sr-wide { max-height: 15rem; overflow-y: auto; }
ol.sr-steps {
  list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin: .2rem 0; padding: 0 !important;
}
.sr-steps li { margin: 0; font-size: .95rem; opacity: .85; }
.sr-steps li[aria-current] { font-weight: 650; opacity: 1; }
.sr-steps .sr-done { color: light-dark(#0b7285, #4cc3d9); opacity: 1; }
.sr-scroll .sr-message { margin: 0 auto; }
.sr-answer {
  border-left: 3px solid color-mix(in srgb, currentColor 35%, transparent);
  padding: 0 0 0 .7rem; margin: .5rem 0;
}
.sr-answer p { margin: .1rem 0; overflow-wrap: anywhere; }
.sr-answer .sr-said { font-weight: 650; margin: 0 .6rem; }
.sr-answer blockquote {
  margin: .1rem 0; padding: 0 0 0 .6rem; font-style: italic; overflow-wrap: anywhere; border: 0;
}
.sr-cautions {
  border-left: 3px solid light-dark(#8a5a00, #e0a63a); background: light-dark(#fff8eb, #2a2416);
  padding: .3rem .8rem; font-size: .93rem; line-height: 1.4; overflow-wrap: anywhere;
}
.sr-cautions summary { cursor: pointer; } .sr-cautions ul { margin: .4rem 0 .2rem; padding-left: 1.2rem; }
.sr-cautions:has(.sr-way) { display: flex; gap: 1rem; justify-content: space-between; }
.sr-cautions .sr-way { margin: 0; white-space: nowrap; }
.sr-about summary { cursor: pointer; list-style: none; } .sr-about u { margin-left: .3rem; }
.sr-about summary::-webkit-details-marker { display: none; }
.sr-cautions.sr-quiet { border-left-color: transparent; background: none; padding-left: 0; opacity: .85; }
.sr-safety { margin: 0; line-height: 1.5; font-size: .95rem; overflow-wrap: anywhere; }
.sr-dot {
  display: inline-flex; align-items: center; justify-content: center; width: 17px; height: 17px;
  margin-right: 3px; border-radius: 50%; border: 1.5px solid currentColor;
  font-size: 11px; line-height: 1; text-decoration: none;
}
.sr-verdicts { white-space: normal; } .sr-verdicts > span:last-child { display: block; }
.sr-meaning {
  display: inline-block; white-space: nowrap; margin-right: .6rem;
}
.sr-verdicts .sr-dot, .sr-signs .sr-dot { color: light-dark(#ffffff, #14181d); font-weight: 700; }
.sr-verdict-yes { background: light-dark(#0b7285, #4cc3d9); border-color: light-dark(#0b7285, #4cc3d9); }
.sr-verdict-leans {
  background: light-dark(#8a5a00, #e0a63a); border-color: light-dark(#8a5a00, #e0a63a); border-radius: 4px;
}
.sr-verdict-no, .sr-verdict-alert {
  background: light-dark(#b42318, #ff8a7a); border-color: light-dark(#b42318, #ff8a7a); border-radius: 0;
}
.sr-verdicts .sr-verdict-unknown, .sr-signs .sr-verdict-unknown {
  color: light-dark(#57646e, #a7b2ba); border-style: dashed;
}
.sr-caught { color: light-dark(#0b7285, #4cc3d9); }
ul.sr-needs, ul.sr-bars { list-style: none; margin: 0; padding: 0 !important; }
.sr-needs a { color: light-dark(#1f5f8b, #7db7e0); }
.sr-needs li {
  padding: .5rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 15%, transparent);
  overflow-wrap: anywhere; line-height: 1.4; margin: 0;
}
.sr-needs strong, .sr-needs .sr-small { display: block; }
.st-key-small-pictures { margin-top: .8rem; }
.st-key-small-pictures [data-testid="stImage"] img { max-width: 320px; }
.st-key-small-pictures h2 a { color: inherit; }
.sr-bars li {
  display: flex; align-items: center; gap: .6rem; margin: 0; padding: .2rem 0; font-size: .93rem;
}
.sr-meter {
  flex: 1; height: 7px; border-radius: 4px; background: color-mix(in srgb, currentColor 14%, transparent);
}
.sr-meter b { display: block; height: 7px; border-radius: 4px; background: light-dark(#1f5f8b, #7db7e0); }
.sr-meter.sr-alone { display: inline-block; width: 110px; vertical-align: middle; margin-right: .4rem; }
[class*="st-key-study-"] {
  border-bottom: 1px solid color-mix(in srgb, currentColor 15%, transparent); padding-bottom: .6rem;
}
[class*="st-key-study-"] .sr-h3 { margin: 0; }
ul.sr-moved { list-style: none; margin: 0; padding: 0 !important; }
.sr-moved li { display: flex; gap: .6rem; margin: 0; padding: .25rem 0; line-height: 1.4; font-size: .95rem; }
.sr-sign {
  flex: 0 0 17px; height: 17px; display: inline-flex; align-items: center; justify-content: center;
  border: 1.5px solid currentColor; border-radius: 50%; font-size: 11px; line-height: 1; margin-top: .15rem;
}
.sr-moved .sr-no { font-weight: 600; }
.sr-moved .sr-no .sr-sign { color: light-dark(#b42318, #ff8a7a); border-radius: 0; }
.sr-moved .sr-unknown .sr-sign { border-style: dashed; }
.sr-safety { padding: .1rem 0 .3rem; }
a.sr-missed, .sr-missed { color: light-dark(#b42318, #ff8a7a); border-radius: 0; }
a.sr-unlabelled, .sr-unlabelled { color: light-dark(#57646e, #a7b2ba); border-style: dashed; }
@media print {
  header, [data-testid="stSidebar"], [data-testid="stToolbar"],
  .stButton, .stDownloadButton, .stSelectbox, .stPopover, .stButtonGroup {
    display: none !important;
  }
  .stHorizontalBlock:has(> .stColumn .sr-needs) { flex-wrap: wrap; > .stColumn { flex: 1 1 100%; } }
  :is(.stElementContainer, [data-testid="stFullScreenFrame"]):has(.stPlotlyChart),
  .stPlotlyChart, .js-plotly-plot, .js-plotly-plot .plot-container { height: auto !important; }
  .js-plotly-plot :is(.plot-container, .svg-container) { width: 100% !important; }
  .js-plotly-plot .svg-container:has(> [viewBox]) { height: auto !important; aspect-ratio: var(--of-chart); }
  .js-plotly-plot .main-svg[viewBox] { width: 100% !important; height: auto !important; }
  .stMainBlockContainer { padding: 0; }
  .sr-wide, .sr-window .sr-wide { overflow: visible; max-height: none; }
}
</style>
"""


def apply_look() -> None:
    """Add the app's styles to the page."""
    st.html(STYLE)


def page_frame(page: str) -> AbstractContextManager[object]:
    """Return the frame of a page: all have one width, except the page whose panes fill the window."""
    return nullcontext() if page in FULL_WIDTH else st.container(key="page")
