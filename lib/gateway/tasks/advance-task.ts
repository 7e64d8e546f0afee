import { servesFamily } from "@/lib/contract/calls/provider-kinds";
import type { Provider } from "../models/providers/provider-directory";
import type { MediaClient } from "../providers/media-client";
import { providerKinds } from "../providers/provider-link";
import { endCanceledTask, failTask, giveUpTask, succeedTask } from "./end-task";
import {
  findStoredOutputs,
  followOrder,
  OVERDUE,
  readStoredOrder,
  type StoredOrder,
  sendOrder,
} from "./orders";
import type { ClaimedTask } from "./task-claims.sql";
import {
  type AdvanceContext,
  isPastDeadline,
  leaveUnknown,
  PROVIDER_STATE_UNKNOWN,
  pause,
  type StepSignals,
} from "./task-work";

const NO_PROVIDER = {
  code: "provider_missing",
  message: "The model leads to no provider any more that makes such files.",
};
const LOST_INPUT = {
  code: "input_lost",
  message:
    "What is to be made can't be read: its pictures are gone, or the gateway runs with another GATEHOUSE_SECRET.",
};

/**
 * Performs the next step of a task that this process has claimed. It may be interrupted at any point: the next run
 * asks for the state or repeats the step. It never sends an order twice to a provider that would carry it out twice.
 */
export async function advanceTask(
  context: AdvanceContext,
  task: ClaimedTask,
  signals: StepSignals,
): Promise<void> {
  const isOverdue = isPastDeadline(context, task);
  const wasSent = task.dispatchedAtMs !== null;
  if (!wasSent && task.isCancelRequested) return endCanceledTask(context, task);
  const storedOrder = await readStoredOrder(context, task);
  if (!wasSent) {
    if (storedOrder === null) return failTask(context, task, LOST_INPUT);
    return sendUnsent(context, task, storedOrder, { ...signals, isOverdue });
  }
  const route = findRoute(context, task);
  const client = route ? findClient(context, route.provider, storedOrder) : null;
  if (!client || !route || storedOrder === null)
    return isOverdue ? giveUpTask(context, task, PROVIDER_STATE_UNKNOWN) : pause(context, task);
  const order = { ...storedOrder, model: route.model };
  const work = { context, task, order, client, ...signals };
  if (task.remoteId !== null) return followOrder(work, { id: task.remoteId, order }, isOverdue);
  if (isOverdue || !client.submitsOnce) {
    const outputs = await findStoredOutputs(work);
    if (outputs) return succeedTask(context, task, outputs);
    return isOverdue ? giveUpTask(context, task, PROVIDER_STATE_UNKNOWN) : leaveUnknown(work);
  }
  return sendOrder([{ route, work }]);
}

/** Sends an order to the first of its model's providers that takes it. */
async function sendUnsent(
  context: AdvanceContext,
  task: ClaimedTask,
  storedOrder: StoredOrder,
  { isOverdue, ...signals }: StepSignals & { readonly isOverdue: boolean },
): Promise<void> {
  const routes = context.catalogue.find(task.model)?.routes ?? [];
  const routed = routes.flatMap((route) => {
    const isFit = mayTake(context, route.provider, storedOrder);
    const client = isFit ? findClient(context, route.provider, storedOrder) : null;
    const order = { ...storedOrder, model: route.model };
    return client ? [{ route, work: { context, task, order, client, ...signals } }] : [];
  });
  if (routed.length === 0) return failTask(context, task, NO_PROVIDER);
  return isOverdue ? failTask(context, task, OVERDUE) : sendOrder(routed);
}

/** Whether a provider makes such files, and can be sent all that the order says. */
function mayTake({ directory, findMediaClient }: AdvanceContext, id: string, order: StoredOrder): boolean {
  if (findMediaClient) return true;
  const provider = directory.find(id);
  if (!provider || !servesFamily(provider.kind, provider.taskApi?.makes, order.family)) return false;
  return !providerKinds[provider.kind].files?.findOrderFault?.(provider, order);
}

/** Returns the route to which a task was sent, or else will be. */
export function findRoute(
  { catalogue }: Pick<AdvanceContext, "catalogue">,
  { route, model }: Pick<ClaimedTask, "route" | "model">,
) {
  return route ?? catalogue.find(model)?.routes[0];
}

/** The clients of each gateway's providers, by its effects, since a client reads the gateway's clock. */
const mediaClients = new WeakMap<AdvanceContext["runtime"], WeakMap<Provider, MediaClient>>();

function findClient(
  { directory, runtime, findMediaClient }: AdvanceContext,
  id: string,
  order: StoredOrder | null,
): MediaClient | null {
  if (findMediaClient) return findMediaClient(id);
  const provider = directory.find(id);
  const files = provider && providerKinds[provider.kind].files;
  if (!files || (order?.inputs && !files.editsImages)) return null;
  const clients = mediaClients.get(runtime) ?? new WeakMap<Provider, MediaClient>();
  mediaClients.set(runtime, clients);
  const client = clients.get(provider) ?? files.createClient(provider, runtime.clock);
  clients.set(provider, client);
  return client;
}
