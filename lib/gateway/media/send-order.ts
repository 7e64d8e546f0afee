import { OrderNotSent, OrderRefused } from "../providers/media-client";
import { failTask } from "./end-task";
import { deliverFiles } from "./task-outputs";
import { leaveUnknown, pause, storeOutcome, type TaskWork } from "./task-work";

/** Stores the dispatch before it sends the order: an order with a dispatch but without the provider's id is in an unknown state. */
export async function sendOrder(
  work: TaskWork,
  route: { readonly provider: string; readonly model: string },
): Promise<void> {
  const { context, task, order, client, signal } = work;
  const submitSignal = client.submitsOnce ? signal : work.lastSignal;
  const { clock } = context.effects;
  const before = { route, dispatchedAtMs: task.dispatchedAtMs ?? clock.nowMs() };
  // An order that was never sent goes where its model leads at the next try.
  const unsent = { route: task.route, dispatchedAtMs: task.dispatchedAtMs };
  if (!(await context.claims.save(task.id, before))) return;
  if (signal.aborted) {
    await context.claims.save(task.id, { ...unsent, dueAtMs: clock.nowMs() });
    return;
  }
  const sentTask = { ...task, ...before };
  const sentWork = { ...work, task: sentTask };
  let submission: Awaited<ReturnType<typeof client.submit>>;
  try {
    submission = await client.submit(order, task.id, submitSignal);
  } catch (error) {
    if (error instanceof OrderRefused) return failTask(context, sentTask, copyReason(error));
    if (error instanceof OrderNotSent) return pause(context, sentTask, unsent);
    if (submitSignal.aborted) throw error;
    context.logFault(task.id, error);
    return client.submitsOnce ? pause(context, sentTask) : leaveUnknown(sentWork);
  }
  if (typeof submission !== "string") return deliverFiles(sentWork, submission);
  const remoteId = submission;
  await storeOutcome(work, () =>
    context.claims.save(task.id, { remoteId, failures: 0, dueAtMs: clock.nowMs() + client.pollMs }),
  );
}

/** A copy, since an error's own message is not written to JSON. */
function copyReason({ code, message }: OrderRefused) {
  return { code, message };
}
