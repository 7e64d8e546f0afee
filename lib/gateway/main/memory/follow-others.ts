import type { Feed } from "../../changes/feed";

/** A revoked key must be refused everywhere within a second. */
export const FOLLOW_MS = 250;

/** Runs a function at an interval. @returns a function that stops it. */
export type StartInterval = (ms: number, action: () => void) => () => void;

const startMachineTimer: StartInterval = (ms, action) => {
  const timer = setInterval(action, ms).unref();
  return () => clearInterval(timer);
};

/**
 * Checks for other processes' changes at an interval. A failed check does not stop the next one.
 * @returns a function that stops it.
 */
export function followOthers(
  feed: Pick<Feed, "catchUp">,
  everyMs: number,
  logFault: (where: string, error: unknown) => void,
  every: StartInterval = startMachineTimer,
): () => void {
  return every(everyMs, () => {
    feed.catchUp().catch((error: unknown) => logFault("feed of changes", error));
  });
}
