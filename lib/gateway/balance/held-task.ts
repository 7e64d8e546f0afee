import type { MediaFamily } from "@/lib/contract/model-families";

/** A task as it is stored with its hold, in one transaction. */
export interface TaskDraft {
  readonly id: string;
  readonly family: MediaFamily;
  /** What is to be made, as JSON. Stored sealed, and forgotten once the task has ended. */
  readonly input: string;
  /** What it is asked for besides the prompt: `TaskSettings` as JSON, which is kept. */
  readonly settings: string;
  /** Where its end is to be told. Stored sealed. */
  readonly callbackUrl: string | null;
  /** The reply to whoever made it, kept for repeats where the hold has an idempotency key. */
  readonly reply: string;
}

/** A file that a task has made. */
export interface TaskOutput {
  readonly type: MediaFamily;
  readonly mimeType: string;
  readonly bytes: number;
}

export type FinalTaskStatus = "succeeded" | "failed" | "canceled";

/** How a task ends: stored with the end of its hold, in one transaction. The first end counts. */
export interface TaskEnd {
  readonly status: FinalTaskStatus;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly outputs: readonly TaskOutput[];
}
