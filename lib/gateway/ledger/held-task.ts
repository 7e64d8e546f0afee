import type { MediaFamily } from "@/lib/contract/calls/model-families";
import { SealBrokenError, seal, unseal } from "../database/seal";
import { Secret } from "../secrets/secret";

/** A task, stored with its hold in one transaction. */
export interface TaskDraft {
  readonly id: string;
  readonly family: MediaFamily;
  /** The order as JSON. Stored sealed, and deleted once the task has ended. */
  readonly input: string;
  /** `TaskSettings` as JSON. Kept after the task has ended. */
  readonly settings: string;
  /** The URL to notify of its end. Stored sealed. */
  readonly callbackUrl: string | null;
  /** The receipt details of its call, as `writeReceiptDetails` encodes them; null once the task has ended. */
  readonly receiptDetails: string | null;
  /** The reply to its creator, stored for repeats if the hold has an idempotency key. */
  readonly reply: string;
}

/** A file that a task has made. */
export interface TaskOutput {
  readonly type: MediaFamily;
  readonly mimeType: string;
  readonly bytes: number;
}

export type FinalTaskStatus = "succeeded" | "failed" | "canceled";

/** The end of a task, stored with the end of its hold in one transaction. Only the first end counts. */
export interface TaskEnd {
  readonly status: FinalTaskStatus;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly outputs: readonly TaskOutput[];
}

const describeSealedTask = (taskId: string) => `task ${taskId}`;

/** Seals a text of a task, so that it opens for this task alone. */
export function sealTaskText(
  text: string,
  taskId: string,
  sealing: { key: Uint8Array; random(bytes: number): Uint8Array },
): string {
  return seal(new Secret(text), describeSealedTask(taskId), sealing);
}

/** Null for a text that was sealed with another secret. */
export function openTaskText(sealedText: string, taskId: string, key: Uint8Array): string | null {
  try {
    return unseal(sealedText, describeSealedTask(taskId), key).reveal();
  } catch (error) {
    if (error instanceof SealBrokenError) return null;
    throw error;
  }
}
