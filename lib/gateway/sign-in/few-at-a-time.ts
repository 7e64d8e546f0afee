/** More wait than may. */
export class TooManyWait extends Error {
  override readonly name = "TooManyWait";
}

/**
 * Runs what it is given, so many at a time; the rest wait their turn, so many at the most.
 * @returns a function that rejects with `TooManyWait` for whatever comes beyond that.
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
  /** Whoever waits gets the very place, so that nobody who comes now gets it first. */
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
