// Drops the second click of a double click, which would hit whatever is there by then, such as a label of the next
// question.
export class LastClick {
  constructor() {
    /** @type {Element | null} */
    this.button = null;
  }

  /**
   * Whether a click is the second of a double click, or a later one, and would do something else than the first.
   * @param {Pick<MouseEvent, "detail">} click `detail`: its number in a quick series at this place
   * @param {Element | null} button that it is on
   */
  strays({ detail }, button) {
    const isOther = button !== this.button;
    if (detail < 2) {
      this.button = button;
      return false;
    }
    // Labels are choices of a group: a second click could undo the first.
    return button !== null && (isOther || button.getAttribute("role") === "radio");
  }

  /**
   * Stop a stray click, and take the focus away from its target, because Enter and Space would press it. Returns
   * whether its target is another than the first click's.
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
