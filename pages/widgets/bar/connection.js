// When the server does not answer, our words stand instead of the platform's own window (runs/error_dialogs.py):
// that one covers the page, takes the focus, and says nothing of what was saved.

const AWAY =
  "The app does not answer just now. What was saved is safe, and this page goes on by itself when it is back.";
const PATIENCE = 1200; // milliseconds; a restart of a moment is not worth a word

export class Connection {
  /** @param {HTMLElement} notice */
  constructor(notice) {
    this.notice = notice;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.observer = new MutationObserver(() => this.look());
    this.observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ["data-test-connection-state"],
    });
  }

  isAnswering() {
    const app = document.querySelector("[data-testid=stApp]");
    const state = app instanceof HTMLElement ? app.dataset.testConnectionState : undefined;
    return state === undefined || state === "CONNECTED";
  }

  look() {
    if (this.isAnswering()) {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.notice.hidden = true;
      return;
    }
    this.timer ??= setTimeout(() => this.say(), PATIENCE);
  }

  say() {
    if (this.isAnswering()) return;
    this.notice.textContent = AWAY;
    this.notice.hidden = false;
  }

  stop() {
    clearTimeout(this.timer);
    this.observer.disconnect();
  }
}
