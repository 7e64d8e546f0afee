import { WORK_RENEW_MS } from "../claim-times";
import type { FileStorage } from "../files/file-storage";
import type { TaskOutput } from "../ledger/funds";
import {
  detectMediaType,
  HEAD_BYTES,
  type MadeFile,
  type MediaOrder,
  type OrderInput,
  OrderMisrouted,
  OrderNotSent,
  OrderRefused,
  OutputMissing,
  type RemoteFile,
  type RemoteState,
  type RemoteTask,
  UnusableOutput,
} from "../providers/media-client";
import type { ClaimedTask } from "./task-claims.sql";
import {
  type AdvanceContext,
  endCanceledTask,
  failTask,
  giveUpTask,
  isPastDeadline,
  leaveUnknown,
  PROVIDER_STATE_UNKNOWN,
  pause,
  storeOutcome,
  succeedTask,
  type TaskWork,
} from "./task-work";

/** An order without the model's name, which its route decides. */
export type StoredOrder = Omit<MediaOrder, "model">;

/** The files that orders start from, stored under the id of the request from its arrival to the task's end. */
interface InputContext {
  readonly inputFiles: Pick<FileStorage, "open">;
}

/** An order as it is stored, where earlier versions named the extra fields `further`. */
type OrderRow = Omit<StoredOrder, "inputs" | "extraFields"> & {
  readonly further: StoredOrder["extraFields"];
  readonly inputs?: readonly OrderInput[];
};

/** @param inputs the stored pictures that the order starts from. */
export function serializeOrder(
  { extraFields, ...order }: Omit<StoredOrder, "inputs">,
  inputs?: readonly OrderInput[],
): string {
  return JSON.stringify({ ...order, further: extraFields, ...(inputs && { inputs }) } satisfies OrderRow);
}

/** Reads a task's order and opens its pictures; null if the order can't be decrypted or a picture is missing. */
export async function readStoredOrder(
  { inputFiles }: InputContext,
  { input, requestId }: Pick<ClaimedTask, "input" | "requestId">,
): Promise<StoredOrder | null> {
  if (input === null) return null;
  const { inputs, further, ...row } = JSON.parse(input) as OrderRow;
  const order = { ...row, extraFields: further };
  if (!inputs) return order;
  const files = await Promise.all(inputs.map((_, position) => inputFiles.open(requestId, position)));
  const openedInputs = inputs.flatMap((storedInput, position) => {
    const file = files[position];
    return file?.bytes === storedInput.bytes
      ? [{ ...storedInput, read: () => file.read(0, file.bytes) }]
      : [];
  });
  return openedInputs.length === inputs.length ? { ...order, inputs: openedInputs } : null;
}

/** Stores the files of a task, and charges it once they are on disk. */
async function deliverFiles(work: TaskWork, files: readonly MadeFile[]): Promise<void> {
  const { context, task } = work;
  const outputs: TaskOutput[] = [];
  for (const [position, { mimeType, bytes: file }] of files.entries()) {
    const write = () => context.outputFiles.write(task.id, position, toPieces(file));
    outputs.push({ type: task.family, mimeType, bytes: await storeOutcome(work, write) });
  }
  return storeOutcome(work, () => succeedTask(context, task, outputs));
}

async function* toPieces(bytes: Uint8Array) {
  yield bytes;
}

/** The files that an earlier step of the task left on disk; null unless all that were ordered are there. */
export async function findStoredOutputs(work: TaskWork): Promise<TaskOutput[] | null> {
  const outputs: TaskOutput[] = [];
  for (let position = 0; position < work.order.count; position++) {
    const output = await findStoredOutput(work, position);
    if (!output) return null;
    outputs.push(output);
  }
  return outputs;
}

/** Null for a file that no earlier step has stored whole. */
async function findStoredOutput({ context, task }: TaskWork, position: number): Promise<TaskOutput | null> {
  // No file of a task under way is in a bucket yet. One that is down must not keep the task from ending.
  const file = await context.outputFiles.open(task.id, position).catch(() => null);
  const head = file && (await new Response(file.read(0, HEAD_BYTES)).bytes());
  const mimeType = head && detectMediaType(task.family, head);
  return mimeType ? { type: task.family, mimeType, bytes: file.bytes } : null;
}

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
  const { clock } = context.runtime;
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
  const { clock } = context.runtime;
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

export const OVERDUE = { code: "task_timed_out", message: "The provider did not finish within 24 hours." };

const GONE = { code: "provider_lost_it", message: "The provider knows no such task any more." };
const UNDELIVERED = {
  code: "provider_output",
  message: "The provider made the files, but they could not be fetched from it.",
};
/** How often a missing file is asked for, in five minutes. */
const MAX_MISSING = 10;

/** Asks the provider for the order's state, and fetches its files once they are made. */
export async function followOrder(work: TaskWork, remote: RemoteTask, isOverdue: boolean): Promise<void> {
  const { context, task, client, signal, closing } = work;
  let state: RemoteState;
  try {
    state = await client.poll(remote, signal);
    // Only a running order is canceled, since some providers delete the files of a finished one.
    if (state.kind === "running" && (task.isCancelRequested || isOverdue)) {
      await client.cancel(remote, signal);
      state = await client.poll(remote, signal);
    }
  } catch (error) {
    if (closing.aborted) throw error;
    context.logFault(task.id, error);
    if (error instanceof UnusableOutput) return failTask(context, task, unusable(error));
    return isOverdue ? giveUpTask(context, task, PROVIDER_STATE_UNKNOWN) : pause(context, task);
  }
  if (state.kind === "succeeded") return fetchFiles(work, remote, state.files, isOverdue);
  if (state.kind === "failed") return failTask(context, task, { code: state.code, message: state.message });
  if (task.isCancelRequested) return endCanceledTask(context, task);
  if (isOverdue) return failTask(context, task, OVERDUE);
  if (state.kind === "canceled") return endCanceledTask(context, task);
  if (state.kind === "gone") return failTask(context, task, GONE);
  const dueAtMs = context.runtime.clock.nowMs() + client.pollMs;
  await context.claims.save(task.id, {
    progress: state.progress,
    failures: 0,
    isStateUnknown: false,
    dueAtMs,
  });
}

/** A task whose files can't be fetched costs nothing, since its provider's state is known and nothing is delivered. */
async function fetchFiles(
  work: TaskWork,
  remote: RemoteTask,
  files: readonly RemoteFile[],
  isOverdue: boolean,
): Promise<void> {
  const { context, task } = work;
  const outputs: TaskOutput[] = [];
  try {
    for (const file of files) {
      const stored = await findStoredOutput(work, file.position);
      outputs.push(stored ?? (await fetchFile(work, remote, file)));
    }
  } catch (error) {
    if (work.closing.aborted) throw error;
    context.logFault(task.id, error);
    if (error instanceof UnusableOutput) return failTask(context, task, unusable(error));
    const isGone = error instanceof OutputMissing && task.failures >= MAX_MISSING;
    return isGone || isOverdue ? failTask(context, task, UNDELIVERED) : pause(context, task);
  }
  return storeOutcome(work, () => succeedTask(context, task, outputs));
}

async function fetchFile(work: TaskWork, remote: RemoteTask, file: RemoteFile): Promise<TaskOutput> {
  const { context, task, client, signal } = work;
  const { mimeType, bytes: pieces } = await client.open(remote, file, signal);
  const bytes = await context.outputFiles.write(task.id, file.position, keepClaim(work, pieces));
  return { type: task.family, mimeType, bytes };
}

/** A file may take longer than a claim: as long as its bytes arrive, it is waited for until the task's deadline. */
async function* keepClaim(
  { context, task, extend }: TaskWork,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const {
    claims,
    runtime: { clock },
  } = context;
  let renewedAtMs = clock.monotonicMs();
  for await (const piece of pieces) {
    extend();
    if (clock.monotonicMs() - renewedAtMs >= WORK_RENEW_MS) {
      renewedAtMs = clock.monotonicMs();
      if (isPastDeadline(context, task)) throw new Error("The file took too long");
      if (!(await claims.renew(task.id, clock.nowMs()))) throw new Error("Another process works on the task");
    }
    yield piece;
  }
}

/** The customer isn't charged for files that can't be used, though the provider may charge for them. */
function unusable({ message }: UnusableOutput) {
  return { code: "provider_output", message };
}
