import { computeCharge } from "@/lib/money/charge";
import type { Clock } from "../clock";
import type { FileStorage } from "../files/file-storage";
import { type CallEnd, type ChargeBasis, deriveId, type EndedTask, type Funds } from "../ledger/funds";
import type { TaskEnd, TaskOutput } from "../ledger/held-task";
import type { Admissions } from "../rate-limits/admissions";
import type { ClaimedTask } from "./task-claims.sql";

export interface EndContext {
  readonly funds: Pick<Funds, "settle" | "release">;
  readonly admissions: Pick<Admissions, "settleHeld" | "releaseHeld">;
  readonly outputFiles: Pick<FileStorage, "delete">;
  /** The pictures that orders start from, by the ids of their requests. */
  readonly inputFiles: Pick<FileStorage, "delete">;
  readonly runtime: { readonly clock: Clock };
  logFault(where: string, error: unknown): void;
}

type Failure = NonNullable<TaskEnd["error"]>;

/** Ends a task whose files are stored, and charges its whole hold. */
export function succeedTask(
  context: EndContext,
  task: ClaimedTask,
  outputs: readonly TaskOutput[],
): Promise<void> {
  return charge(context, task, "reported", { status: "succeeded", error: null, outputs });
}

/** Ends a task without files, free of charge. */
export function failTask(context: EndContext, task: ClaimedTask, error: Failure): Promise<void> {
  return release(context, task, { status: "failed", error, outputs: [] });
}

/** Ends a task whose cancellation was requested, free of charge. */
export function endCanceledTask(context: EndContext, task: ClaimedTask): Promise<void> {
  return release(context, task, { status: "canceled", error: null, outputs: [] });
}

/**
 * Ends a task whose state at the provider is still unknown at its deadline. Its hold is charged, since the provider may
 * charge for it.
 */
export function giveUpTask(context: EndContext, task: ClaimedTask, error: Failure): Promise<void> {
  return charge(context, task, "interrupted", { status: "failed", error, outputs: [] });
}

async function charge(
  context: EndContext,
  task: ClaimedTask,
  basis: ChargeBasis,
  end: TaskEnd,
): Promise<void> {
  const { funds, admissions, runtime } = context;
  const { hold, requestId } = task;
  const usage = { promptTokens: 0, completionTokens: 0, units: hold.units };
  const amount = computeCharge(usage, hold.price);
  const isSettled = await funds.settle(
    {
      holdId: hold.id,
      entryId: deriveId("txn", requestId),
      varianceEntryId: "",
      charge: amount,
      usage,
      basis,
      end: callEnd(task, runtime.clock, basis === "reported" ? ["completed", 200] : ["interrupted", 500]),
      task: end,
    },
    toEndedTask(task),
  );
  if (!isSettled) return;
  await admissions.settleHeld({ requestId, ...hold }, amount);
  await deleteLeftovers(context, task, end);
}

async function release(context: EndContext, task: ClaimedTask, end: TaskEnd): Promise<void> {
  const { funds, admissions, runtime } = context;
  const wasSent = task.dispatchedAtMs !== null;
  const sentEnd =
    end.status === "canceled" ? (["client_gone", 499] as const) : (["provider_failed", 502] as const);
  const how = wasSent ? sentEnd : (["unsent", end.status === "canceled" ? 499 : 502] as const);
  const isReleased = await funds.release(
    { holdId: task.hold.id, end: callEnd(task, runtime.clock, how), task: end },
    toEndedTask(task),
  );
  if (!isReleased) return;
  await admissions.releaseHeld({ requestId: task.requestId, ...task.hold }, { sent: wasSent });
  await deleteLeftovers(context, task, end);
}

function toEndedTask({ family, requestId, model, hold: { projectId, amount } }: ClaimedTask): EndedTask {
  return { family, hold: { requestId, projectId, model, amount } };
}

/**
 * Deletes the order's pictures, and files that were fetched although the task failed. If the deletion fails, they are
 * deleted when their retention ends.
 */
async function deleteLeftovers(
  { outputFiles, inputFiles, logFault }: EndContext,
  { id, requestId }: ClaimedTask,
  { outputs }: TaskEnd,
): Promise<void> {
  const deletions = [inputFiles.delete(requestId), ...(outputs.length === 0 ? [outputFiles.delete(id)] : [])];
  for (const result of await Promise.allSettled(deletions))
    if (result.status === "rejected") logFault(id, result.reason);
}

function callEnd(
  { createdAtMs, route, receiptDetails }: ClaimedTask,
  clock: Clock,
  [outcome, status]: readonly [CallEnd["outcome"], number],
): CallEnd {
  const atMs = clock.nowMs();
  const durationMs = Math.max(0, atMs - createdAtMs);
  const call = { outcome, status, stream: false, estimatedTokens: 0, firstByteMs: null, durationMs, atMs };
  return { ...call, provider: route?.provider ?? null, receiptDetails };
}
