import type { QueryClient } from "@tanstack/react-query";

/**
 * Calls back once no read is under way.
 * @returns a function that stops waiting.
 */
export function awaitReads(client: QueryClient, onEnd: () => void): () => void {
  const look = () => {
    if (client.isFetching() > 0) return;
    stop();
    onEnd();
  };
  const unsubscribe = client.getQueryCache().subscribe(({ type }) => type === "updated" && look());
  // By then, the effects of all parts of the screen have begun their reads.
  const timer = setTimeout(look);
  const stop = () => {
    clearTimeout(timer);
    unsubscribe();
  };
  return stop;
}
