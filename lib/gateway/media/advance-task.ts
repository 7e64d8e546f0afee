import type { Provider } from "../models/provider-directory";
import type { MediaClient } from "../providers/media-client";
import { providerKinds } from "../providers/provider-kinds";
import type { ClaimedTask } from "../tasks/task-claims";
import { endCanceledTask, failTask, giveUpTask, succeedTask } from "./end-task";
import { followOrder, OVERDUE } from "./follow-order";
import { sendOrder } from "./send-order";
import { readStoredOrder, type StoredOrder } from "./stored-order";
import { findStoredOutputs } from "./task-outputs";
import {
  type AdvanceContext,
  DEADLINE_MARGIN_MS,
  leaveUnknown,
  PROVIDER_STATE_UNKNOWN,
  pause,
  type StepSignals,
} from "./task-work";

const NO_PROVIDER = {
  code: "provider_missing",
  message: "The model leads to no provider that makes files any more.",
};
const LOST_INPUT = {
  code: "input_lost",
  message:
    "What is to be made can't be read: its pictures are gone, or the gateway runs with another GATEHOUSE_SECRET.",
};

/**
 * Performs the next step of a task that this process has claimed. It may be interrupted at any point: the next run
 * queries or repeats what was done. It never sends an order twice to a provider that would carry it out twice.
 */
export async function advanceTask(
  context: AdvanceContext,
  task: ClaimedTask,
  signals: StepSignals,
): Promise<void> {
  const isOverdue = context.effects.clock.nowMs() >= task.deadlineAtMs - DEADLINE_MARGIN_MS;
  const wasSent = task.dispatchedAtMs !== null;
  if (!wasSent && task.isCancelRequested) return endCanceledTask(context, task);
  const route = findRoute(context, task);
  const storedOrder = await readStoredOrder(context, task);
  const client = route ? findClient(context, route.provider, storedOrder) : null;
  if (!client || !route || storedOrder === null) {
    const error = storedOrder === null ? LOST_INPUT : NO_PROVIDER;
    if (!wasSent) return failTask(context, task, error);
    return isOverdue ? giveUpTask(context, task, PROVIDER_STATE_UNKNOWN) : pause(context, task);
  }
  const order = { ...storedOrder, model: route.model };
  const work = { context, task, order, client, ...signals };
  if (task.remoteId !== null) return followOrder(work, { id: task.remoteId, order }, isOverdue);
  if (wasSent && (isOverdue || !client.submitsOnce)) {
    const outputs = await findStoredOutputs(work);
    if (outputs) return succeedTask(context, task, outputs);
    return isOverdue ? giveUpTask(context, task, PROVIDER_STATE_UNKNOWN) : leaveUnknown(work);
  }
  if (isOverdue) return failTask(context, task, OVERDUE);
  const others = wasSent ? [] : findOtherRoutes(context, task);
  const routed = others.flatMap((other) => {
    const otherClient = findClient(context, other.provider, storedOrder);
    const otherOrder = { ...storedOrder, model: other.model };
    return otherClient ? [{ route: other, work: { ...work, order: otherOrder, client: otherClient } }] : [];
  });
  return sendOrder([{ route, work }, ...routed]);
}

/** Where an order that was never sent may go if the first provider doesn't take it. */
function findOtherRoutes({ catalogue }: AdvanceContext, { model }: ClaimedTask) {
  return catalogue.find(model)?.routes.slice(1) ?? [];
}

/** Where a task was sent, or else will be. */
export function findRoute(
  { catalogue }: Pick<AdvanceContext, "catalogue">,
  { route, model }: Pick<ClaimedTask, "route" | "model">,
) {
  return route ?? catalogue.find(model)?.routes[0];
}

/** The clients of each gateway's providers, by its effects, since a client reads the gateway's clock. */
const mediaClients = new WeakMap<AdvanceContext["effects"], WeakMap<Provider, MediaClient>>();

function findClient(
  { directory, effects, findMediaClient }: AdvanceContext,
  id: string,
  order: StoredOrder | null,
): MediaClient | null {
  if (findMediaClient) return findMediaClient(id);
  const provider = directory.find(id);
  const files = provider && providerKinds[provider.kind].files;
  if (!files || (order?.inputs && !files.editsImages)) return null;
  const clients = mediaClients.get(effects) ?? new WeakMap<Provider, MediaClient>();
  mediaClients.set(effects, clients);
  const client = clients.get(provider) ?? files.createClient(provider, effects.clock);
  clients.set(provider, client);
  return client;
}
