import { expect, test } from "bun:test";
import { Runs } from "./runs";

test("a run ends when its own session cancels it, and only then", () => {
  const runs = new Runs();
  const run = runs.begin("alice", "run-1");
  runs.cancel("mallory", "run-1");
  expect(run?.signal.aborted).toBe(false);
  runs.cancel("alice", "run-1");
  expect(run?.signal.aborted).toBe(true);
  expect(runs.size).toBe(0);
});

test("a cancel that overtakes its run ends it as it begins, once", () => {
  const runs = new Runs();
  runs.cancel("alice", "run-1");
  const run = runs.begin("alice", "run-1");
  expect(run?.signal.aborted).toBe(true);
  run?.finish();
  expect(runs.begin("alice", "run-1")?.signal.aborted).toBe(false);
});

test("an id is taken while its run lasts and free afterwards", () => {
  const runs = new Runs();
  const first = runs.begin("alice", "run-1");
  expect(runs.begin("alice", "run-1")).toBeNull();
  expect(runs.begin("bob", "run-1")).not.toBeNull();
  first?.finish();
  expect(runs.begin("alice", "run-1")).not.toBeNull();
});

test("a run that has finished does not take its successor of the same id with it", () => {
  const runs = new Runs();
  const first = runs.begin("alice", "run-1");
  first?.finish();
  const second = runs.begin("alice", "run-1");
  first?.finish();
  runs.cancel("alice", "run-1");
  expect(second?.signal.aborted).toBe(true);
});

test("cancels of runs that never begin don't pile up", () => {
  const runs = new Runs();
  for (let number = 0; number < 5_000; number++) runs.cancel("mallory", `run-${number}`);
  expect(runs.begin("mallory", "run-0")?.signal.aborted).toBe(false);
  expect(runs.begin("mallory", "run-4999")?.signal.aborted).toBe(true);
});
