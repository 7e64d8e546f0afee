/**
 * By how many milliseconds the server's clock is ahead of this browser's, as far as is known. Always 0 on the server.
 */
let aheadMs = 0;

/** Unix milliseconds by the server's clock. A browser's may be wrong by minutes. */
export function nowMs(): number {
  return Date.now() + aheadMs;
}

/** Unix seconds by the server's clock. */
export function nowSeconds(): number {
  return Math.floor(nowMs() / 1000);
}

/** Converts a time that this browser's clock showed, in Unix milliseconds. */
export function toServerClock(browserMs: number): number {
  return browserMs + aheadMs;
}

/** Converts a time that the server's clock showed, in Unix milliseconds. */
export function toBrowserClock(serverMs: number): number {
  return serverMs - aheadMs;
}

type ServerReply = {
  /** The server's clock while it replied, in Unix milliseconds: between these two. */
  server: readonly [from: number, until: number];
  /** The browser's clock at the request and at the reply. */
  browser: readonly [sent: number, received: number];
};

/** Corrects what is known by no more than a reply proves, so that a slow connection doesn't look like a wrong clock. */
export function correctAhead(known: number, { server, browser }: ServerReply): number {
  return Math.min(Math.max(known, server[0] - browser[1]), server[1] - browser[0]);
}

/** The `Date` header has whole seconds, and a server may write the one before. */
const HEADER_MS = 2_000;

/** Learns the server's time from a reply to a request that was sent at this time of the browser's clock. */
export function learnFromReply(reply: Response, sentMs: number): void {
  const date = Date.parse(reply.headers.get("date") ?? "");
  if (Number.isNaN(date)) return;
  aheadMs = correctAhead(aheadMs, { server: [date, date + HEADER_MS], browser: [sentMs, Date.now()] });
}

/** The root layout writes when the server rendered the page, which was after its request and before its first byte. */
function learnFromPage(): void {
  const rendered = Number(document.documentElement.dataset.renderedAt ?? Number.NaN);
  if (Number.isNaN(rendered)) return;
  const openedMs = performance.now();
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const beganMs = Date.now() - openedMs;
  const sent = beganMs + (navigation?.requestStart ?? 0);
  const received = beganMs + (navigation?.responseStart || openedMs);
  aheadMs = correctAhead(aheadMs, { server: [rendered, rendered], browser: [sent, received] });
}

if (typeof document !== "undefined") learnFromPage();
