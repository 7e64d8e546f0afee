import type { MediaFamily } from "@/lib/contract/calls/model-families";
import type { Nano } from "@/lib/money/amount";
import type { PriceSnapshot } from "@/lib/money/charge";

/** A task with everything that its worker needs. */
export interface ClaimedTask {
  readonly id: string;
  readonly requestId: string;
  readonly model: string;
  readonly family: MediaFamily;
  /** JSON; null if it can no longer be decrypted. */
  readonly input: string | null;
  /** The provider it was sent to, and the model's name there; null before that. */
  readonly route: { readonly provider: string; readonly model: string } | null;
  /** The provider's own id for it; null before the provider has replied. */
  readonly remoteId: string | null;
  /** When its dispatch was stored, just before it was sent; null before that. */
  readonly dispatchedAtMs: number | null;
  readonly isStateUnknown: boolean;
  readonly failures: number;
  readonly createdAtMs: number;
  readonly deadlineAtMs: number;
  readonly isCancelRequested: boolean;
  /** The receipt details of the call that made it. */
  readonly receiptDetails: string | null;
  readonly hold: TaskHold;
}

/** The hold for a task's cost. */
interface TaskHold {
  readonly id: string;
  readonly amount: Nano;
  readonly projectId: string;
  /** Millionths of the price's unit. */
  readonly units: number;
  readonly price: PriceSnapshot;
}

/** A task's progress. Absent fields stay as they are. */
export interface TaskStep {
  readonly route?: ClaimedTask["route"];
  readonly remoteId?: string;
  readonly dispatchedAtMs?: number | null;
  readonly isStateUnknown?: boolean;
  readonly failures?: number;
  readonly progress?: number | null;
  /** When to look at it again; saving it ends the claim. Absent while work goes on. */
  readonly dueAtMs?: number;
}

/** The tasks that must wait. */
export interface BusyTasks {
  /**
   * Tasks that this process is working on. They are never claimed, even if their claims expired while the machine
   * slept.
   */
  readonly ids: readonly string[];
  /** Tasks that were sent to these providers. */
  readonly providers: readonly string[];
  /** Tasks of these models that were sent to no provider yet. */
  readonly models: readonly string[];
}

/** Which process works on which task. Only one process has a claim at a time, and claims expire in case it dies. */
export interface TaskClaims {
  /** Claims due tasks that no other process has claimed and that aren't busy, the longest due first. */
  claimDue(nowMs: number, limit: number, busy: BusyTasks): Promise<ClaimedTask[]>;
  /** @returns false, with nothing stored, if another process has the claim or the task has ended. */
  save(id: string, step: TaskStep): Promise<boolean>;
  /** Extends the claim. @returns false if another process has it or the task has ended. */
  renew(id: string, nowMs: number): Promise<boolean>;
  /** Ends all other processes' claims. Call it only while no other process runs. */
  releaseOthers(): Promise<void>;
}
