import { OrderMisrouted, OrderNotSent, OrderRefused } from "../providers/media-client";
import { failTask } from "./end-task";
import { deliverFiles } from "./task-outputs";
import { type AdvanceContext, leaveUnknown, pause, storeOutcome, type TaskWork } from "./task-work";

interface OrderRoute {
  readonly provider: string;
  readonly model: string;
}

/** Sends an order on the first of these routes, or on the next one where a provider doesn't take it. */
export async function sendOrder(
  routed: readonly { readonly route: OrderRoute; readonly work: TaskWork }[],
): Promise<void> {
  let last: Untaken | null = null;
  for (const { route, work } of routed) {
    if (last) work.extend();
    const untaken = await sendTo(work, route);
    if (!untaken) return;
    // What one provider refuses for good, another may take later.
    if (!(last?.error instanceof OrderNotSent)) last = untaken;
  }
  await last?.end();
}

/** An order that its provider didn't take, and how its task goes on if no other provider takes it. */
interface Untaken {
  readonly error: OrderMisrouted | OrderNotSent;
  end(): Promise<void>;
}

/**
 * Stores the dispatch before it sends the order: an order with a dispatch but without the provider's id is in an
 * unknown state.
 * @returns null unless another provider may take the order.
 */
async function sendTo(work: TaskWork, route: OrderRoute): Promise<Untaken | null> {
  const { context, task, order, client, signal } = work;
  const submitSignal = client.submitsOnce ? signal : work.lastSignal;
  const { clock } = context.effects;
  const before = { route, dispatchedAtMs: task.dispatchedAtMs ?? clock.nowMs() };
  // An order that was never sent goes where its model leads at the next try.
  const unsent = { route: task.route, dispatchedAtMs: task.dispatchedAtMs };
  if (!(await context.claims.save(task.id, before))) return null;
  if (signal.aborted) {
    await context.claims.save(task.id, { ...unsent, dueAtMs: clock.nowMs() });
    return null;
  }
  const sentTask = { ...task, ...before };
  const sentWork = { ...work, task: sentTask };
  let submission: Awaited<ReturnType<typeof client.submit>>;
  try {
    submission = await client.submit(order, task.id, submitSignal);
  } catch (error) {
    if (error instanceof OrderMisrouted) {
      noteMisrouted(context, route, task.id, error);
      return { error, end: () => failTask(context, sentTask, copyReason(error)) };
    }
    if (error instanceof OrderNotSent)
      return { error, end: () => pause(context, sentTask, unsent, error.restMs) };
    if (error instanceof OrderRefused) await failTask(context, sentTask, copyReason(error));
    else if (submitSignal.aborted) throw error;
    else await leaveOpen(sentWork, error);
    return null;
  }
  findMisconfigurations(context, route)?.forget(route.model);
  if (typeof submission !== "string") await deliverFiles(sentWork, submission);
  else await storeRemoteId(work, submission);
  return null;
}

/** The order may have reached the provider. */
async function leaveOpen(work: TaskWork, error: unknown): Promise<void> {
  const { context, task, client } = work;
  context.logFault(task.id, error);
  await (client.submitsOnce ? pause(context, task) : leaveUnknown(work));
}

async function storeRemoteId(work: TaskWork, remoteId: string): Promise<void> {
  const { context, task, client } = work;
  const { clock } = context.effects;
  await storeOutcome(work, () =>
    context.claims.save(task.id, { remoteId, failures: 0, dueAtMs: clock.nowMs() + client.pollMs }),
  );
}

function noteMisrouted(
  context: AdvanceContext,
  route: OrderRoute,
  taskId: string,
  error: OrderMisrouted,
): void {
  findMisconfigurations(context, route)?.note(route.model, error.status);
  context.logFault(taskId, `${route.provider} refuses the gateway: ${error.cause}`);
}

function findMisconfigurations({ directory, links }: AdvanceContext, { provider: id }: OrderRoute) {
  const provider = directory.find(id);
  return provider && links.to(provider).misconfigurations;
}

/** A copy, since an error's own message is not written to JSON. */
function copyReason({ code, message }: OrderRefused) {
  return { code, message };
}
