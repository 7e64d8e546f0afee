import { expect, test } from "bun:test";
import { simulate } from "./simulate";

const SEEDS = 300;

test("keeps money and limits exact under any order of requests, faults and crashes", async () => {
  const first = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  for (let seed = first; seed < first + SEEDS; seed++) {
    await simulate(seed).catch((cause) => {
      throw new Error(`${cause.message}. Again: npm run simulate -- --seed ${seed}`, { cause });
    });
  }
});

test("a seed takes the same steps again", async () => {
  const recordTrace = async (seed: number) => {
    const steps: string[] = [];
    await simulate(seed, (what) => steps.push(what));
    return steps;
  };
  const steps = await recordTrace(7);
  expect(steps.length).toBeGreaterThan(10);
  expect(await recordTrace(7)).toEqual(steps);
  expect(await recordTrace(8)).not.toEqual(steps);
});
