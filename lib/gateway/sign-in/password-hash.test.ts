import { expect, test } from "bun:test";
import { limitConcurrency, QueueFull } from "./password-hash";

/** Work that runs until the test ends it, with a record of what started. */
function workshop() {
  const inPlace = limitConcurrency({ maxRunning: 2, maxQueued: 3 });
  const ends: (() => void)[] = [];
  const counts = { begun: [] as number[], running: 0, max: 0 };
  const start = (id: number) =>
    inPlace(async () => {
      counts.begun.push(id);
      counts.max = Math.max(counts.max, ++counts.running);
      await new Promise<void>((end) => {
        ends.push(end);
      });
      counts.running--;
      if (id === 1) throw new Error("failed");
      return id;
    });
  return { start, counts, endNext: () => ends.shift()?.() };
}

/** Lets all pending callbacks run. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test("all run in turn, even after failures, and any beyond the allowed number waiting are refused", async () => {
  const { start, counts, endNext } = workshop();
  const outcomes = [0, 1, 2, 3, 4].map((id) => start(id).catch((error: Error) => error.message));
  await expect(start(5)).rejects.toBeInstanceOf(QueueFull);
  for (let left = 5; left > 0; left--) {
    await turn();
    endNext();
  }
  expect<unknown[]>(await Promise.all(outcomes)).toEqual([0, "failed", 2, 3, 4]);
  expect(counts.begun).toEqual([0, 1, 2, 3, 4]);
});

test("a caller who arrives while a slot is passed on doesn't get an extra one", async () => {
  for (let microtasks = 0; microtasks < 12; microtasks++) {
    const { start, counts, endNext } = workshop();
    const outcomes = [0, 2, 3].map(start);
    await turn();
    endNext();
    for (let step = 0; step < microtasks; step++) await Promise.resolve();
    outcomes.push(start(4));
    for (let left = 4; left > 0; left--) {
      await turn();
      endNext();
    }
    await Promise.all(outcomes);
    expect(counts).toMatchObject({ begun: [0, 2, 3, 4], max: 2 });
  }
});
