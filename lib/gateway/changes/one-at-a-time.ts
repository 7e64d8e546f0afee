import type { Turn } from "./turn";

/**
 * Runs changes of one process one after another. Changes don't nest: a turn requested within a turn would wait forever.
 */
export function oneAtATime(): Turn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
