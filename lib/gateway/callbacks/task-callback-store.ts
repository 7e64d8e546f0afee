import type { Transaction } from "../changes/transaction";
import type { Callback } from "./callback-claims";
import type { SecretVersion } from "./sign-callback";

/** A message about the end of a task, on its way. */
export interface TaskCallback extends Callback {
  readonly receiver: string;
  /** Null where it can't be opened any more. */
  readonly url: string | null;
  readonly projectId: string;
  readonly secret: SecretVersion;
}

/** What became of a task's callback. */
export interface CallbackLog {
  readonly url: string | null;
  readonly status: "pending" | "delivered" | "exhausted";
  readonly nextTryAtMs: number | null;
  /** Oldest first, those before it was sent again among them. */
  readonly tries: readonly {
    readonly atMs: number;
    readonly tookMs: number;
    readonly status: number | null;
    readonly failure: string | null;
  }[];
}

export interface TaskCallbackStore {
  /** Null for a task that has not ended, or was made without an address. */
  find(taskId: string): Promise<CallbackLog | null>;
  /** To be sent as if it were new. */
  sendAgain(transaction: Transaction, taskId: string, atMs: number): Promise<void>;
  findSecret(projectId: string): Promise<SecretVersion>;
  saveSecret(transaction: Transaction, projectId: string, secret: SecretVersion): Promise<void>;
}
