// Tells an intended second press of a key from a bouncing switch or a trembling hand.
const BOUNCES = 80; // milliseconds; no hand repeats a key faster
const TOO_SOON = 150; // for the question just answered; at another one the press is intended

export class LastPress {
  constructor() {
    this.key = "";
    this.question = "";
    this.at = -Infinity;
  }

  /**
   * Tell whether the last key was pressed again too soon to be intended.
   * @param {string} key
   * @param {number} at the moment of the press, in milliseconds
   * @param {string} question which the press answers
   */
  comesAgain(key, at, question) {
    const tooSoon = question === this.question ? TOO_SOON : BOUNCES;
    const again = key === this.key && at - this.at < tooSoon;
    this.key = key;
    this.at = at;
    if (!again) this.question = question;
    return again;
  }

  /**
   * Tell whether a key in a text field was pressed before the field had the focus, such as a label's key, and is still
   * held. Any new press in the field ends that.
   * @param {string} key
   * @param {boolean} repeats
   */
  isStillHeld(key, repeats) {
    if (!repeats) this.key = "";
    return repeats && key === this.key;
  }
}
