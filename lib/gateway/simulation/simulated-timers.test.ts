import { expect, test } from "bun:test";
import { SimulatedTimers } from "./simulated-gateway";

test("a timer of a process waits for the simulation's clock, and any other one is real", async () => {
  let nowMs = 0;
  using timers = new SimulatedTimers(() => nowMs);
  const process = {};
  const runs: string[] = [];
  timers.as(process, () => setTimeout(() => runs.push("simulated"), 10));
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect([timers.size, runs]).toEqual([1, []]);
  nowMs = 10;
  timers.runDue(process);
  expect([timers.size, runs]).toEqual([0, ["simulated"]]);
});
