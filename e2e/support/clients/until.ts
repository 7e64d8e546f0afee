import { setTimeout } from "node:timers/promises";

const LOOK_AGAIN_MS = 5;

/**
 * Polls until the condition holds.
 * @returns the time that took, in milliseconds.
 * @throws Error after a time limit.
 */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  withinMs = 30_000,
): Promise<number> {
  const startedAt = performance.now();
  while (!(await isSo())) {
    if (performance.now() - startedAt > withinMs) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await setTimeout(LOOK_AGAIN_MS);
  }
  return performance.now() - startedAt;
}
