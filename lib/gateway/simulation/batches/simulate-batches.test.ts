import { expect, test } from "bun:test";
import { simulateBatches } from "./simulate-batches";

const SEEDS = 20;

test("each line of a batch has one result and at most one charge, whatever happens between any two effects of two processes", async () => {
  const first = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  let lines = 0;
  for (let seed = first; seed < first + SEEDS; seed++) {
    lines += await simulateBatches(seed).catch((cause) => {
      throw new Error(`${cause.message}. Again: npm run simulate -- --batches --seed ${seed}`, { cause });
    });
  }
  expect(lines).toBeGreaterThan(SEEDS);
});
