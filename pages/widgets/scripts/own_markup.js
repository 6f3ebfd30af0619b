// What the program's own templates wrote, as elements. It's the only way by which markup reaches a page from a
// script; the templates have escaped every word from outside (reports/render/html_templates.py).

/** @param {string} html */
export function ownMarkup(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}
