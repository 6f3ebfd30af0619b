// Turns HTML of the program's own templates into elements. No other script adds markup to a page; the templates have
// escaped all text from outside (reports/render/html_templates.py).

/** @param {string} html */
export function ownMarkup(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}
