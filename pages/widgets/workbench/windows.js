// The dialog over the page: the list of keys, or the question for a turn.
import { focusedBeside, h } from "../scripts/dom.js";
import { KEY_GROUPS } from "./keys.js";
import { jumpToTurn } from "./transcript.js";

/** @import { Workbench } from "./app.js" */

export class Windows {
  /** @param {Workbench} app */
  constructor(app) {
    this.app = app;
    this.dialog = /** @type {HTMLDialogElement} */ (app.root.querySelector("dialog"));
  }

  isOpen() {
    return this.dialog.open;
  }

  /** @param {(Node | string | null)[]} children */
  open(...children) {
    this.dialog.replaceChildren(...children.filter((child) => child !== null));
    this.dialog.showModal();
  }

  // Returns whether a dialog was open.
  close() {
    const wasOpen = this.dialog.open;
    this.dialog.close();
    // A closed dialog keeps the focus until the browser paints again, and would take the next key as typing.
    const focused = focusedBeside(this.dialog);
    if (wasOpen && focused && this.dialog.contains(focused)) focused.blur();
    return wasOpen;
  }

  openKeys() {
    const levels = this.app.criterion()?.levels ?? [];
    this.open(
      h("h2", { text: "Keys" }),
      h(
        "p",
        { class: "label-keys" },
        levels.map(({ key, name }) =>
          h("span", {}, h("kbd", { text: key.toUpperCase() }), name === key ? "" : ` ${name}`),
        ),
      ),
      h(
        "div",
        { class: "key-groups" },
        KEY_GROUPS.map(({ group, keys }) =>
          h(
            "section",
            {},
            h("h3", { text: group }),
            h(
              "dl",
              {},
              keys.map(([key, what]) => [h("dt", {}, h("kbd", { text: key })), h("dd", { text: what })]),
            ),
          ),
        ),
      ),
      h("button", { class: "main", onclick: () => this.close(), text: "Close (Esc)" }), // first, so that it gets the focus
    );
    this.dialog.scrollTop = 0; // the browser shows the button that got the focus, which is the last thing in it
    return true;
  }

  askTurn() {
    const { app } = this;
    const input = h("input", {
      type: "number",
      min: 1,
      "aria-label": "Turn",
      onkeydown: (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        event.stopPropagation();
        this.close();
        if (!jumpToTurn(app, Number(input.value))) app.say(`There is no turn ${input.value}.`);
      },
    });
    this.open(
      h("h2", { text: "Go to turn" }),
      input,
      h("p", { class: "small", text: "Enter goes there, Esc closes." }),
    );
    input.focus();
    return true;
  }
}
