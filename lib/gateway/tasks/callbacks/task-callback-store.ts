import type { Transaction } from "../../changes/transaction";
import type { Callback } from "./callback-claims";
import type { SecretVersion } from "./sign-callback";

/** A message about the end of a task that is to be delivered. */
export interface TaskCallback extends Callback {
  readonly receiver: string;
  /** Null if it can no longer be decrypted. */
  readonly url: string | null;
  readonly projectId: string;
  readonly secret: SecretVersion;
}

/** The deliveries of a task's callback. */
export interface CallbackLog {
  readonly url: string | null;
  readonly status: "pending" | "delivered" | "exhausted";
  readonly nextTryAtMs: number | null;
  /** Oldest first, including those before a manual resend. */
  readonly tries: readonly {
    readonly atMs: number;
    readonly tookMs: number;
    readonly status: number | null;
    readonly failure: string | null;
  }[];
}

export interface TaskCallbackStore {
  /** Null for a task that has not ended or has no callback address. */
  find(taskId: string): Promise<CallbackLog | null>;
  /** Queues the message again as if it were new. */
  sendAgain(transaction: Transaction, taskId: string, atMs: number): Promise<void>;
  findSecret(projectId: string): Promise<SecretVersion>;
  saveSecret(transaction: Transaction, projectId: string, secret: SecretVersion): Promise<void>;
}
