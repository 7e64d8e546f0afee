import { AsyncLocalStorage } from "node:async_hooks";

export type OneAtATime = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Runs what it is given one after another, so that nobody writes between a check and the write that relies on it. What asks for
 * a turn within one belongs to it.
 */
export function oneAtATime(): OneAtATime {
  const turns = new AsyncLocalStorage<{ isOver: boolean }>();
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    if (turns.getStore()?.isOver === false) return work();
    const turn = { isOver: false };
    const result = last
      .then(() => turns.run(turn, work))
      .finally(() => {
        turn.isOver = true;
      });
    last = result.catch(() => undefined);
    return result;
  };
}
