// When the server does not answer, our notice replaces the platform's dialog (runs/error_dialogs.py), which covers the
// page, takes the focus, and doesn't say what was saved.

const AWAY = "The app is not responding. Saved work is safe, and this page continues once the app is back.";
const PATIENCE = 1200; // milliseconds; a short restart needs no notice

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
