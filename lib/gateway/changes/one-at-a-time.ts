import type { Turn } from "./turn";

/** Turns within one process. What asks for a turn within one would wait for itself: a unit of work contains no other. */
export function oneAtATime(): Turn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
