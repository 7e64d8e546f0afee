import { expect, test } from "bun:test";
import type { Task } from "@/lib/contract/operations/tasks/task";
import { describeRunTime, describeTask } from "./describe-task";

const running: Task = {
  id: "task_1",
  object: "task",
  model: "sandbox-image",
  status: "running",
  created: 100,
  request_id: "req_1",
  project_id: "proj_1",
  family: "image",
  progress: 50,
  started_at: 101,
  ended_at: null,
  cancel_requested: false,
  provider_state: "known",
  usage: null,
  error: null,
  output: [],
};

test.each([
  ["one that is made", {}, null, "on hold"],
  ["one that is to be stopped", { cancel_requested: true }, null, "being asked to stop"],
  [
    "one that was canceled while it waited",
    { status: "canceled", started_at: null, ended_at: 110 },
    null,
    "cost nothing",
  ],
  ["one made at once", { status: "succeeded", ended_at: 101 }, "under 1 s", "charged"],
  [
    "one that failed after a minute, in its provider's words",
    { status: "failed", ended_at: 166, error: { code: "content_policy", message: "Refused by policy." } },
    "1 min 05 s",
    "Refused by policy.",
  ],
] as const)("tells %s", (_which, change, taken, words) => {
  const task: Task = { ...running, ...change };
  expect(describeRunTime(task)).toBe(taken);
  expect(describeTask(task)).toContain(words);
});
