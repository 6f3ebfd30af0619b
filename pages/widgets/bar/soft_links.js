// Links between pages change the page without reloading the app, as links of the bar do. The browser handles new tabs,
// downloads, and links while the server does not answer.

const PAGE = /\/[a-z_]*$/; // a page's address has one word; files have an ending

export class SoftLinks {
  /** @param {() => boolean} isAnswering Whether the server does. */
  constructor(isAnswering) {
    this.isAnswering = isAnswering;
    this.listening = new AbortController();
    document.addEventListener("click", (event) => this.onClick(event), { signal: this.listening.signal });
  }

  stop() {
    this.listening.abort();
  }

  /** @param {MouseEvent} event */
  onClick(event) {
    if (event.defaultPrevented || event.button) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
    if (!(link instanceof HTMLAnchorElement) || !link.getAttribute("href") || link.download) return;
    if (link.origin !== location.origin || !PAGE.test(link.pathname) || !this.isAnswering()) return;
    if (link.pathname + link.search === location.pathname + location.search) return;
    event.preventDefault();
    openSoftly(link.href);
  }
}

/**
 * Run the page of a new address in the present session, as Back does.
 * @param {string} address
 */
export function openSoftly(address) {
  history.pushState(null, "", address);
  window.dispatchEvent(new PopStateEvent("popstate"));
}
