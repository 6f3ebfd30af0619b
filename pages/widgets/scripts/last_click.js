// A double click: its second click meets whatever lies there by then, such as a label of the next question.
export class LastClick {
  constructor() {
    /** @type {Element | null} */
    this.button = null;
  }

  /**
   * Whether a click is the second of a double click, or a later one, and would do something else than the first.
   * @param {Pick<MouseEvent, "detail">} click `detail`: the how-manieth it is at this place in quick succession
   * @param {Element | null} button that it is on
   */
  strays({ detail }, button) {
    const isOther = button !== this.button;
    if (detail < 2) {
      this.button = button;
      return false;
    }
    // A label is one of several things: a second click may take back what the first one did.
    return button !== null && (isOther || button.getAttribute("role") === "radio");
  }

  /**
   * Keeps a click that strays from whatever it is on, which does not keep the focus either: Enter and Space would
   * press it. Whether it was on something else than the first.
   * @param {MouseEvent} click
   */
  drop(click) {
    const button = buttonUnder(click);
    if (!this.strays(click, button)) return false;
    click.preventDefault();
    click.stopPropagation();
    button?.blur();
    return button !== this.button;
  }
}

/** @param {Event} event */
export function buttonUnder({ target }) {
  return target instanceof Element ? target.closest("button") : null;
}
