import type { MediaFamily } from "@/lib/contract/model-families";
import type { Nano } from "@/lib/money/amount";
import type { PriceSnapshot } from "@/lib/money/charge";

/** A task as whoever works on it needs it. */
export interface ClaimedTask {
  readonly id: string;
  readonly requestId: string;
  readonly model: string;
  readonly family: MediaFamily;
  /** JSON; null where it can't be opened any more. */
  readonly input: string | null;
  /** The provider that it went to, and the model's name there; null before. */
  readonly route: { readonly provider: string; readonly model: string } | null;
  /** The provider's own name for it; null before it has told. */
  readonly remoteId: string | null;
  /** When it was sent, or was to be; null before. */
  readonly dispatchedAtMs: number | null;
  readonly isStateUnknown: boolean;
  readonly failures: number;
  readonly createdAtMs: number;
  readonly deadlineAtMs: number;
  readonly isCancelRequested: boolean;
  readonly hold: TaskHold;
}

/** The money set aside for a task. */
export interface TaskHold {
  readonly id: string;
  readonly amount: Nano;
  readonly projectId: string;
  /** Millionths of the price's unit. */
  readonly units: number;
  readonly price: PriceSnapshot;
}

/** How far a task has come. What is absent stays as it is. */
export interface TaskStep {
  readonly route?: { readonly provider: string; readonly model: string };
  readonly remoteId?: string;
  readonly dispatchedAtMs?: number | null;
  readonly isStateUnknown?: boolean;
  readonly failures?: number;
  readonly progress?: number | null;
  /** When to look at it again: its claim ends with this step. Absent: the work on it goes on. */
  readonly dueAtMs?: number;
}

/** Which process works on which task. Whoever has a claim is the only one; it is over after a time, in case they are gone. */
export interface TaskClaims {
  /** Claims tasks that are due and that no other process has claimed, the longest due first. */
  claimDue(nowMs: number, limit: number): Promise<ClaimedTask[]>;
  /** @returns false where another process has the claim, or the task has ended: nothing was stored. */
  save(id: string, step: TaskStep): Promise<boolean>;
  /** Ends all other processes' claims. To be called only while no other process runs. */
  releaseOthers(): Promise<void>;
}
