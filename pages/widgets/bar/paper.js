// What is printed fits the paper: the charts of a page have the width of the window, and are scaled to that of the page.

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

/** As they were: a chart that is drawn anew at another size has no earlier one.
 * @param {Document} page
 */
export function freeCharts(page) {
  for (const svg of page.querySelectorAll(".js-plotly-plot .main-svg")) svg.removeAttribute("viewBox");
}
