import { MINUTE_MS } from "@/lib/contract/durations";
import { deriveId } from "@/lib/contract/ids";
import { computeCharge } from "@/lib/money/charge";
import type { Clock, ClockCheck, Timers } from "../clock";
import type { FileStorage } from "../files/file-storage";
import type { CallEnd, ChargeBasis, EndedTask, Funds, TaskEnd, TaskOutput } from "../ledger/funds";
import type { Catalogue } from "../models/catalogue";
import type { Provider, ProviderDirectory } from "../models/providers/provider-directory";
import type { Misconfigurations } from "../providers/circuit";
import type { MediaClient, MediaOrder } from "../providers/media-client";
import type { Admissions } from "../rate-limits/admissions";
import type { ClaimedTask, TaskClaims, TaskStep } from "./task-claims.sql";

export interface AdvanceContext extends EndContext {
  readonly claims: Pick<TaskClaims, "save" | "renew">;
  readonly timers: Pick<Timers, "wait">;
  readonly steadyClock: ClockCheck;
  readonly catalogue: Pick<Catalogue, "find">;
  readonly directory: Pick<ProviderDirectory, "find">;
  /** What operators are shown of each provider. */
  readonly links: {
    to(provider: Provider): { readonly misconfigurations: Pick<Misconfigurations, "note" | "forget"> };
  };
  readonly outputFiles: FileStorage;
  readonly inputFiles: Pick<FileStorage, "open" | "delete">;
  readonly findMediaClient?: (provider: string) => MediaClient | null;
}

/** When a step must stop. */
export interface StepSignals {
  /** Aborts when the process begins to close. */
  readonly closing: AbortSignal;
  /** Aborts when the process begins to close, and when the step takes too long. */
  readonly signal: AbortSignal;
  /** Aborts a while after the process begins to close, for work that the next process can't repeat. */
  readonly lastSignal: AbortSignal;
  /** Gives the step as much time as at its start, since it goes on. */
  extend(): void;
}

/** What the steps of one task share. */
export interface TaskWork extends StepSignals {
  readonly context: AdvanceContext;
  readonly task: ClaimedTask;
  readonly order: MediaOrder;
  readonly client: MediaClient;
}

export const PROVIDER_STATE_UNKNOWN = {
  code: "provider_state_unknown",
  message: "The gateway lost its provider's answer, and could not find out what it made.",
};

/** How long before its deadline a task is ended, so that no hold outlives it. */
export const DEADLINE_MARGIN_MS = 10 * MINUTE_MS;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = MINUTE_MS;

/** Whether a task is out of time, by a clock that can be trusted. Its provider's files aren't fetched any more. */
export function isPastDeadline(
  { runtime, steadyClock }: Pick<AdvanceContext, "runtime" | "steadyClock">,
  { deadlineAtMs }: Pick<ClaimedTask, "deadlineAtMs">,
): boolean {
  return runtime.clock.nowMs() >= deadlineAtMs - DEADLINE_MARGIN_MS && !steadyClock.mayBeFarOff();
}

/** Waits longer after each failure in a row, and as long as a provider has asked for, within the task's time. */
export async function pause(
  { claims, runtime }: AdvanceContext,
  { id, failures, deadlineAtMs }: ClaimedTask,
  step: Pick<TaskStep, "route" | "dispatchedAtMs"> = {},
  restMs = 0,
): Promise<void> {
  const nowMs = runtime.clock.nowMs();
  const restMaxMs = Math.min(restMs, deadlineAtMs - DEADLINE_MARGIN_MS - nowMs);
  const dueAtMs = nowMs + Math.max(computePause(failures), restMaxMs);
  await claims.save(id, { ...step, failures: failures + 1, dueAtMs });
}

function computePause(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS);
}

/** The provider may be working on the order, so it is not sent again. The hold stays open until the deadline. */
export async function leaveUnknown({ context, task }: TaskWork): Promise<void> {
  const nextLookMs = context.runtime.clock.nowMs() + FIRST_PAUSE_MS;
  const dueAtMs = Math.max(task.deadlineAtMs - DEADLINE_MARGIN_MS, nextLookMs);
  await context.claims.save(task.id, { isStateUnknown: true, dueAtMs });
}

/**
 * Stores what the provider has made, and repeats it while the store or the disk fails: until then only this process
 * knows it.
 * @throws the last error once `lastSignal` has aborted.
 */
export async function storeOutcome<Result>(
  { context, task, lastSignal }: TaskWork,
  store: () => Promise<Result>,
): Promise<Result> {
  for (let failures = 0; ; failures++) {
    try {
      return await store();
    } catch (error) {
      if (lastSignal.aborted) throw error;
      context.logFault(task.id, error);
      await context.timers.wait(computePause(failures), lastSignal);
    }
  }
}

interface EndContext {
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
