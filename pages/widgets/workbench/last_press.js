// A key that bounces, or a hand that trembles: the same key again sooner than anybody presses it on purpose.
const TOO_SOON = 150; // milliseconds

export class LastPress {
  constructor() {
    this.key = "";
    this.at = -Infinity;
  }

  /**
   * Whether it is the key that was pressed last, again, too soon to be meant.
   * @param {string} key
   * @param {number} at the moment of the press, in milliseconds
   */
  comesAgain(key, at) {
    const again = key === this.key && at - this.at < TOO_SOON;
    this.key = key;
    this.at = at;
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
