import { MINUTE_MS } from "@/lib/contract/durations";
import type { ClockCheck, Timers } from "../clock";
import type { FileStorage } from "../files/file-storage";
import type { Catalogue } from "../models/catalogue";
import type { Provider, ProviderDirectory } from "../models/providers/provider-directory";
import type { Misconfigurations } from "../providers/circuits";
import type { MediaClient, MediaOrder } from "../providers/media-client";
import type { EndContext } from "./end-task";
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
