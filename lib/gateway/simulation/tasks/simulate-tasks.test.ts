import { expect, test } from "bun:test";
import { simulateTasks } from "./simulate-tasks";

const SEEDS = 25;

test("tasks that two processes share are made once, charged once and all end, even if a process is killed between any two effects", async () => {
  const first = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  let tasks = 0;
  for (let seed = first; seed < first + SEEDS; seed++) {
    tasks += await simulateTasks(seed).catch((cause) => {
      throw new Error(`${cause.message}. Again: npm run simulate -- --tasks --seed ${seed}`, { cause });
    });
  }
  expect(tasks).toBeGreaterThan(SEEDS);
});
