// Scales charts, which have the width of the window, to the width of the paper for printing.

/** @param {Document} page */
export function fitCharts(page) {
  for (const svg of page.querySelectorAll(".js-plotly-plot .main-svg")) {
    const [width, height] = ["width", "height"].map((side) =>
      Number.parseFloat(svg.getAttribute(side) ?? ""),
    );
    if (!(width > 0) || !(height > 0)) continue;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.parentElement?.style.setProperty("--of-chart", `${width} / ${height}`);
  }
}

/** Undo the scaling. A chart redrawn at another size has none.
 * @param {Document} page
 */
export function freeCharts(page) {
  for (const svg of page.querySelectorAll(".js-plotly-plot .main-svg")) svg.removeAttribute("viewBox");
}
