/** A busy page has no idle moment; then it is done anyway. */
const MAX_WAIT_MS = 500;

/** Acts once the page has painted what it has to and nothing else is to be done. Returns a function that cancels it. */
export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === "function") {
    const handle = requestIdleCallback(act, { timeout: MAX_WAIT_MS });
    return () => cancelIdleCallback(handle);
  }
  // Safari has none.
  const timer = setTimeout(act, 50);
  return () => clearTimeout(timer);
}
