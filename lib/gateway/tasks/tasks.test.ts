import { expect, test } from "bun:test";
import { change } from "../changes/change";
import { openTemporaryDatabase, testRequest } from "../database/testing/open-temporary-database";
import { notFound } from "../refusal";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { resendCallback } from "./callbacks/callbacks";
import type { TaskRecord, TaskStore } from "./task-store.sql";
import { requestCancellation } from "./tasks";

const running = { id: "task_1", status: "running", endedAtMs: null } as TaskRecord;
const ended = { id: "task_1", status: "succeeded", endedAtMs: 2 } as TaskRecord;

/** Records which tasks are canceled, looked for, and sent again. */
function recordActions() {
  const actions: string[] = [];
  const note = (action: string) => async (_: unknown, id: string) => void actions.push(`${action} ${id}`);
  return {
    actions,
    runtime: simulatedRuntime(),
    tasks: { find: async () => running, requestCancel: note("cancel") } as Partial<TaskStore> as TaskStore,
    taskCallbacks: { find: async () => ({}) as never, sendAgain: note("send") },
    workOnTasks: () => void actions.push("work"),
  };
}

/** Makes a change while `late` waits for its turn. */
async function changeWhileWaiting<Result>(
  ...[context, work, late]: [Parameters<typeof change>[0], () => void, () => Promise<Result>]
): Promise<unknown> {
  const first = change(context, testRequest, async () => work());
  const outcome = late().catch((error: unknown) => error);
  await first;
  return outcome;
}

test("a task that ends while its cancellation waits is answered as ended", async () => {
  await using store = await openTemporaryDatabase();
  const context = { ...recordActions(), changes: await store.changes() };
  let task = running;
  const outcome = changeWhileWaiting(
    context,
    () => void (task = ended),
    () => requestCancellation(context, testRequest, async () => task),
  );
  expect(await outcome).toMatchObject({ status: 409, code: "task_ended" });
  expect(context.actions).toEqual([]);
});

test("a caller who stops seeing a task while waiting neither cancels it nor sends its callback", async () => {
  await using store = await openTemporaryDatabase();
  const context = { ...recordActions(), changes: await store.changes() };
  const verbs: ((
    ...[on, request, findTask]: [typeof context, typeof testRequest, () => Promise<TaskRecord>]
  ) => Promise<unknown>)[] = [requestCancellation, resendCallback];
  for (const verb of verbs) {
    let isVisible = true;
    const findTask = async () => {
      if (!isVisible) throw notFound("task", running.id, "task_id");
      return running;
    };
    const outcome = changeWhileWaiting(
      context,
      () => void (isVisible = false),
      () => verb(context, testRequest, findTask),
    );
    expect(await outcome).toMatchObject({ status: 404 });
  }
  expect(context.actions).toEqual([]);
});
