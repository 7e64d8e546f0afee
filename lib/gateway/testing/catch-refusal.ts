import { Refusal } from "../refusal";

/** Returns the refusal that `work` throws. @throws Error if nothing was refused, and what else `work` throws. */
export function catchRefusal(work: () => unknown): Refusal {
  try {
    work();
  } catch (error) {
    return expectRefusal(error);
  }
  throw new Error("Nothing was refused");
}

/**
 * Returns the refusal that `work` rejects with, and throws like `catchRefusal`. `expect(…).rejects` would block the
 * event loop, which delivers the answers of other threads.
 */
export function awaitRefusal(work: PromiseLike<unknown>): PromiseLike<Refusal> {
  return work.then(() => {
    throw new Error("Nothing was refused");
  }, expectRefusal);
}

function expectRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}
