/** Too many tasks are waiting. */
export class TooManyWait extends Error {
  override readonly name = "TooManyWait";
}

/**
 * Runs at most `atOnce` tasks at a time, with at most `waiting` others queued.
 * @returns a function that runs a task, and rejects with `TooManyWait` if the queue is full.
 */
export function fewAtATime({ atOnce, waiting }: { atOnce: number; waiting: number }) {
  const queue: (() => void)[] = [];
  let running = 0;
  const take = async () => {
    if (running < atOnce) {
      running++;
      return;
    }
    if (queue.length >= waiting) throw new TooManyWait();
    await new Promise<void>((resolve) => {
      queue.push(resolve);
    });
  };
  /** Passes the place to the first waiting task, so that no newcomer takes it. */
  const leave = () => {
    const next = queue.shift();
    if (next) next();
    else running--;
  };
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await take();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
