import type { Feed } from "../../changes/feed";

/** A revoked key is refused within a second everywhere. */
export const FOLLOW_MS = 250;

/** Runs something again and again. @returns a function that ends that. */
export type Every = (ms: number, run: () => void) => () => void;

const machineTimer: Every = (ms, run) => {
  const timer = setInterval(run, ms).unref();
  return () => clearInterval(timer);
};

/** Looks every so often for what other processes have changed. One look that fails holds up none. @returns a function that ends it. */
export function followOthers(
  feed: Pick<Feed, "catchUp">,
  everyMs: number,
  logFault: (where: string, error: unknown) => void,
  every: Every = machineTimer,
): () => void {
  return every(everyMs, () => {
    feed.catchUp().catch((error: unknown) => logFault("feed of changes", error));
  });
}
