// The same key again: of a switch that bounces, of a hand that trembles, or meant.
const BOUNCES = 80; // milliseconds; no hand presses a key again sooner
const TOO_SOON = 150; // for the question that was just answered; at another one the press is meant

export class LastPress {
  constructor() {
    this.key = "";
    this.question = "";
    this.at = -Infinity;
  }

  /**
   * Whether it is the key that was pressed last, again, too soon to be meant.
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
   * In a box where one types: whether the key was pressed before the box had the focus, such as a label's in
   * "change mine", and has not been let go since. Any press in the box ends it.
   * @param {string} key
   * @param {boolean} repeats
   */
  isStillHeld(key, repeats) {
    if (!repeats) this.key = "";
    return repeats && key === this.key;
  }
}
