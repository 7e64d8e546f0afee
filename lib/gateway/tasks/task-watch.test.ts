import { expect, test } from "bun:test";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import type { TaskRecord } from "./task-store.sql";
import { TaskWatch } from "./task-watch";

const record = (id: string, progress: number, endedAtMs: number | null = null) =>
  ({
    id,
    status: endedAtMs === null ? "running" : "succeeded",
    progress,
    files: [],
    charged: null,
    createdAtMs: 0,
    startedAtMs: 0,
    endedAtMs,
  }) as unknown as TaskRecord;

function openScene() {
  const stored = new Map([record("task_1", 0), record("task_2", 0)].map((task) => [task.id, task]));
  const reads: (readonly string[])[] = [];
  const faults: unknown[] = [];
  let isDown = false;
  const watch = new TaskWatch({
    tasks: {
      findAll: async (ids) => {
        reads.push(ids);
        if (isDown) throw new Error("The store is away");
        return ids.flatMap((id) => stored.get(id) ?? []);
      },
    },
    organization: { currency: "USD" },
    clock: simulatedRuntime().clock,
    logFault: (_where, error) => void faults.push(error),
  });
  const controller = new AbortController();
  return {
    watch,
    reads,
    faults,
    controller,
    store: (task: TaskRecord) => void stored.set(task.id, task),
    breakStore: (down: boolean) => {
      isDown = down;
    },
    follow: (id: string, isSeen = async () => true) =>
      watch.follow(id, { signal: controller.signal, isSeen }),
  };
}

test("any number of followers share one read of their tasks", async () => {
  const { follow, reads, store } = openScene();
  const followers = Array.from({ length: 200 }, (_, at) => follow(at % 2 ? "task_1" : "task_2"));
  for (const follower of followers) await follower.next();
  reads.length = 0;
  const changes = followers.map((follower) => follower.next());
  store(record("task_1", 50));
  store(record("task_2", 60));
  const told = await Promise.all(changes);
  expect(told.map(({ value }) => value?.progress)).toEqual(followers.map((_, at) => (at % 2 ? 50 : 60)));
  expect(reads.length).toBeGreaterThan(0);
  expect(reads.filter((ids) => ids.length !== 2)).toEqual([]);
  await Promise.all(followers.map((follower) => follower.return(undefined)));
});

test("a follower is told of the end, and then of nothing", async () => {
  const { follow, store } = openScene();
  const follower = follow("task_1");
  await follower.next();
  const ending = follower.next();
  store(record("task_1", 100, 5));
  expect((await ending).value?.status).toBe("succeeded");
  expect((await follower.next()).done).toBe(true);
});

test("one who may no longer see a task isn't told of its change", async () => {
  const { follow, store } = openScene();
  let isSeen = true;
  const follower = follow("task_1", async () => isSeen);
  await follower.next();
  const next = follower.next();
  isSeen = false;
  store(record("task_1", 70));
  expect((await next).done).toBe(true);
});

test("a reader who leaves ends the reading, and a store that is away ends nothing", async () => {
  const { follow, store, breakStore, faults, controller, reads } = openScene();
  const follower = follow("task_1");
  await follower.next();
  breakStore(true);
  const next = follower.next();
  while (faults.length === 0) await new Promise(setImmediate);
  breakStore(false);
  store(record("task_1", 10));
  expect((await next).value?.progress).toBe(10);
  const last = follower.next();
  controller.abort();
  expect((await last).done).toBe(true);
  expect(reads.every((ids) => ids.join() === "task_1")).toBe(true);
});

test("waiting for an end asks for access again, and throws its refusal", async () => {
  const { watch, controller, store } = openScene();
  let hasAccess = true;
  const waiting = watch.untilEnded("task_1", {
    timeoutMs: 60_000,
    signal: controller.signal,
    refuseEndedAccess: () => {
      if (!hasAccess) throw new Error("No access");
    },
  });
  await new Promise(setImmediate);
  hasAccess = false;
  store(record("task_1", 20));
  expect(await waiting.catch(String)).toBe("Error: No access");
});

test("closing ends all waiting, and reads nothing any more", async () => {
  const { watch, follow, reads, faults, breakStore } = openScene();
  const follower = follow("task_1");
  await follower.next();
  const next = follower.next();
  breakStore(true);
  watch.close();
  expect((await next).done).toBe(true);
  const before = reads.length;
  expect(await follow("task_2").next().catch(String)).toBe("Error: The store is away");
  expect([reads.length, faults]).toEqual([before + 1, []]);
});
