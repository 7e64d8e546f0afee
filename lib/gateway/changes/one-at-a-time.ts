import type { Turn } from "./turn";

/** Turns within one process. A unit of work contains no other: asking for a turn within a turn would never resolve. */
export function oneAtATime(): Turn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
