/** A busy page has no idle moment; then it is done anyway. */
const MAX_WAIT_MS = 500;

/**
 * Acts once the page has painted what it has to and nothing else is to be done, or is late after `maxWaitMs`. Returns a
 * function that cancels it.
 */
export function whenIdle(act: (isLate: boolean) => void, maxWaitMs = MAX_WAIT_MS): () => void {
  if (typeof requestIdleCallback === "function") {
    const handle = requestIdleCallback(({ didTimeout }) => act(didTimeout), { timeout: maxWaitMs });
    return () => cancelIdleCallback(handle);
  }
  // Safari has none.
  const timer = setTimeout(act, 50, false);
  return () => clearTimeout(timer);
}
