// Folds the pages into one menu if they don't fit into the bar. Their width depends on letters, titles and numbers, so
// it is measured.

export class Fitting {
  /**
   * @param {HTMLElement} root
   * @param {() => void} onunfold
   */
  constructor(root, onunfold) {
    this.root = root;
    this.onunfold = onunfold;
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(root);
    this.onFonts = () => this.fit();
    document.fonts.addEventListener("loadingdone", this.onFonts);
  }

  stop() {
    this.observer.disconnect();
    document.fonts.removeEventListener("loadingdone", this.onFonts);
  }

  /** Fold what does not fit, unfold what does. What is open stays open where nothing changes. */
  fit() {
    const { classList } = this.root;
    const wasFolded = classList.contains("folded");
    classList.remove("folded");
    const isFolded = !this.fits();
    classList.toggle("folded", isFolded);
    if (wasFolded && !isFolded) this.onunfold();
  }

  fits() {
    const last = this.root.lastElementChild;
    if (!last) return true;
    const edge =
      this.root.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(this.root).paddingRight);
    return last.getBoundingClientRect().right <= edge + 0.5;
  }
}
