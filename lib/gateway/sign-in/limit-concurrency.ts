/** The queue has no place for more work. */
export class QueueFull extends Error {
  override readonly name = "QueueFull";
}

/**
 * Runs at most `maxRunning` pieces of work at a time, with at most `maxQueued` others waiting.
 * @returns a function that runs a piece of work, and rejects with `QueueFull` if the queue is full.
 */
export function limitConcurrency({ maxRunning, maxQueued }: { maxRunning: number; maxQueued: number }) {
  const queue: (() => void)[] = [];
  let running = 0;
  const acquire = async () => {
    if (running < maxRunning) {
      running++;
      return;
    }
    if (queue.length >= maxQueued) throw new QueueFull();
    await new Promise<void>((resolve) => {
      queue.push(resolve);
    });
  };
  /** Passes the place to the first in the queue, so that no newcomer takes it. */
  const release = () => {
    const next = queue.shift();
    if (next) next();
    else running--;
  };
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await acquire();
    try {
      return await work();
    } finally {
      release();
    }
  };
}
