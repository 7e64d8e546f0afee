import type { TaskOutput } from "../balance/held-task";
import type { Catalogue } from "../models/catalogue";
import type { Provider, ProviderDirectory } from "../models/provider-directory";
import {
  type MadeFile,
  type MediaClient,
  type MediaOrder,
  OrderNotSent,
  OrderRefused,
  type RemoteFile,
  type RemoteState,
  type RemoteTask,
  UnusableOutput,
} from "../providers/media-client";
import { providerKinds } from "../providers/provider-kinds";
import type { FileStorage } from "../tasks/file-storage";
import type { ClaimedTask, TaskClaims } from "../tasks/task-claims";
import { cancelTask, type EndContext, failTask, giveUpTask, succeedTask } from "./end-task";
import { readStoredOrder, type StoredOrder } from "./stored-order";

export interface AdvanceContext extends EndContext {
  readonly claims: Pick<TaskClaims, "save">;
  readonly catalogue: Pick<Catalogue, "find">;
  readonly directory: Pick<ProviderDirectory, "find">;
  readonly outputFiles: FileStorage;
  readonly inputFiles: Pick<FileStorage, "open" | "delete">;
  readonly findMediaClient?: (provider: string) => MediaClient | null;
}

/** The state shared by the steps of one task. */
interface Work {
  readonly context: AdvanceContext;
  readonly task: ClaimedTask;
  readonly order: MediaOrder;
  readonly client: MediaClient;
  readonly signal: AbortSignal;
}

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
const UNKNOWN = {
  code: "provider_state_unknown",
  message: "The gateway lost its provider's answer, and could not find out what it made.",
};
const OVERDUE = { code: "task_timed_out", message: "The provider did not finish within 24 hours." };
const NO_PROVIDER = {
  code: "provider_missing",
  message: "The model leads to no provider that makes files any more.",
};
const LOST_INPUT = {
  code: "input_lost",
  message:
    "What is to be made can't be read: its pictures are gone, or the gateway runs with another GATEHOUSE_SECRET.",
};

/** A copy, since an error's own message is not written to JSON. */
function copyReason({ code, message }: OrderRefused) {
  return { code, message };
}

/** The customer isn't charged for files that can't be used, though the provider may charge for them. */
function unusable({ message }: UnusableOutput) {
  return { code: "provider_output", message };
}

/** How long before its deadline a task is ended, so that no hold outlives it. */
export const DEADLINE_MARGIN_MS = 10 * 60_000;

/**
 * Performs the next step of a task that this process has claimed. It may be interrupted at any point: the next run
 * queries or repeats what was done. It never sends an order twice to a provider that would carry it out twice.
 */
export async function advanceTask(
  context: AdvanceContext,
  task: ClaimedTask,
  signal: AbortSignal,
): Promise<void> {
  const isOverdue = context.effects.clock.nowMs() >= task.deadlineAtMs - DEADLINE_MARGIN_MS;
  const wasSent = task.dispatchedAtMs !== null;
  if (!wasSent && task.isCancelRequested) return cancelTask(context, task);
  const route = findRoute(context, task);
  const storedOrder = await readStoredOrder(context, task);
  const client = route ? findClient(context, route.provider, storedOrder) : null;
  if (!client || !route || storedOrder === null) {
    const error = storedOrder === null ? LOST_INPUT : NO_PROVIDER;
    if (!wasSent) return failTask(context, task, error);
    return isOverdue ? giveUpTask(context, task, UNKNOWN) : pause(context, task);
  }
  const order = { ...storedOrder, model: route.model };
  const work = { context, task, order, client, signal };
  if (task.remoteId !== null) return follow(work, { id: task.remoteId, order }, isOverdue);
  if (isOverdue) return wasSent ? giveUpTask(context, task, UNKNOWN) : failTask(context, task, OVERDUE);
  if (wasSent && !client.submitsOnce) return leaveUnknown(work);
  return send(work, route);
}

/** Where a task was sent, or else will be. */
export function findRoute(
  { catalogue }: Pick<AdvanceContext, "catalogue">,
  { route, model }: Pick<ClaimedTask, "route" | "model">,
) {
  return route ?? catalogue.find(model)?.routes[0];
}

/** Stores the dispatch before it sends the order: an order with a dispatch but without the provider's id is in an unknown state. */
async function send(work: Work, route: { readonly provider: string; readonly model: string }): Promise<void> {
  const { context, task, order, client, signal } = work;
  const { clock } = context.effects;
  const before = { route, dispatchedAtMs: task.dispatchedAtMs ?? clock.nowMs() };
  if (!(await context.claims.save(task.id, before))) return;
  const sentTask = { ...task, ...before };
  try {
    const submission = await client.submit(order, task.id, signal);
    if (typeof submission !== "string") return await storeFiles({ ...work, task: sentTask }, submission);
    const remoteId = submission;
    await context.claims.save(task.id, { remoteId, failures: 0, dueAtMs: clock.nowMs() + client.pollMs });
  } catch (error) {
    if (error instanceof OrderRefused) return failTask(context, sentTask, copyReason(error));
    if (error instanceof OrderNotSent)
      return pause(context, sentTask, { dispatchedAtMs: task.dispatchedAtMs });
    if (signal.aborted) throw error;
    context.logFault(task.id, error);
    return client.submitsOnce ? pause(context, sentTask) : leaveUnknown({ ...work, task: sentTask });
  }
}

/** Asks the provider for the order's state, and fetches its files once they are made. */
async function follow(work: Work, remote: RemoteTask, isOverdue: boolean): Promise<void> {
  const { context, task, client, signal } = work;
  let state: RemoteState;
  try {
    if (task.isCancelRequested || isOverdue) await client.cancel(remote, signal);
    state = await client.poll(remote, signal);
    if (state.kind === "succeeded") return await fetchFiles(work, remote, state.files);
  } catch (error) {
    if (signal.aborted) throw error;
    context.logFault(task.id, error);
    if (error instanceof UnusableOutput) return failTask(context, task, unusable(error));
    return isOverdue ? giveUpTask(context, task, UNKNOWN) : pause(context, task);
  }
  if (state.kind === "failed") return failTask(context, task, state);
  if (state.kind === "canceled" || task.isCancelRequested) return cancelTask(context, task);
  if (isOverdue) return failTask(context, task, OVERDUE);
  const dueAtMs = context.effects.clock.nowMs() + client.pollMs;
  await context.claims.save(task.id, {
    progress: state.progress,
    failures: 0,
    isStateUnknown: false,
    dueAtMs,
  });
}

async function fetchFiles(
  { context, task, client, signal }: Work,
  remote: RemoteTask,
  files: readonly RemoteFile[],
) {
  const outputs: TaskOutput[] = [];
  for (const file of files) {
    const { mimeType, bytes: pieces } = await client.open(remote, file, signal);
    const bytes = await context.outputFiles.write(task.id, file.position, pieces);
    outputs.push({ type: task.family, mimeType, bytes });
  }
  return succeedTask(context, task, outputs);
}

/** Stores files that came with the reply to their order. */
async function storeFiles({ context, task }: Work, files: readonly MadeFile[]): Promise<void> {
  const outputs: TaskOutput[] = [];
  for (const [position, { mimeType, bytes: file }] of files.entries()) {
    const bytes = await context.outputFiles.write(task.id, position, toPieces(file));
    outputs.push({ type: task.family, mimeType, bytes });
  }
  return succeedTask(context, task, outputs);
}

async function* toPieces(bytes: Uint8Array) {
  yield bytes;
}

/** The provider may be working on the order, so it is not sent again. The hold stays open until the deadline. */
async function leaveUnknown({ context, task }: Work): Promise<void> {
  const dueAtMs = task.deadlineAtMs - DEADLINE_MARGIN_MS;
  await context.claims.save(task.id, { isStateUnknown: true, dueAtMs });
}

/** Waits longer after each failure in a row. */
async function pause(
  { claims, effects }: AdvanceContext,
  { id, failures }: ClaimedTask,
  step: { readonly dispatchedAtMs?: number | null } = {},
): Promise<void> {
  const ms = Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS);
  await claims.save(id, { ...step, failures: failures + 1, dueAtMs: effects.clock.nowMs() + ms });
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
  if (!provider || (order?.inputs && !providerKinds[provider.kind].editsImages)) return null;
  const clients = mediaClients.get(effects) ?? new WeakMap<Provider, MediaClient>();
  mediaClients.set(effects, clients);
  const client =
    clients.get(provider) ?? providerKinds[provider.kind].createMediaClient?.(provider, effects.clock);
  if (client) clients.set(provider, client);
  return client ?? null;
}
