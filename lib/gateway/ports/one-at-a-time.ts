export type OneAtATime = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Runs what it is given one after another, so that nobody writes between a check and the write that relies on it. */
export function oneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
