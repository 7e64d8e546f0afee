import type { Transaction } from "../../changes/transaction";

/** A conversation's id and the id of an answer in it. */
export interface KeptAnswerName {
  readonly conversationId: string;
  readonly answerId: string;
}

/** The start of a reply: its status and the headers that clients read. */
export interface ReplyHead {
  readonly status: number;
  readonly contentType: string;
  /** The output limit, if the gateway lowered it. */
  readonly maxTokens: string | null;
}

/** The stored reply of a call, as far as it has arrived. */
export interface KeptAnswerRecord extends KeptAnswerName {
  readonly ownerId: string;
  readonly requestId: string;
  /** Null until the reply begins. */
  readonly head: ReplyHead | null;
  readonly isRunning: boolean;
  readonly isCanceled: boolean;
  /** Updated every few seconds while the call runs. If it is older, the call's process has died. */
  readonly updatedAtMs: number;
}

export interface KeptAnswerPart {
  readonly number: number;
  readonly text: string;
}

/** Stores the replies of calls that continue without their client. Each part is encrypted separately. */
export interface KeptAnswerStore {
  find(name: KeptAnswerName): Promise<KeptAnswerRecord | null>;
  /** Returns the parts in order. `after` is the number of the last known part. */
  partsAfter(name: KeptAnswerName, after: number): Promise<readonly KeptAnswerPart[]>;
  insert(transaction: Transaction, answer: KeptAnswerRecord): Promise<void>;
  /** Stores the present state. Doesn't change `isCanceled`. */
  write(
    transaction: Transaction,
    answer: Omit<KeptAnswerRecord, "isCanceled">,
    part: KeptAnswerPart | null,
  ): Promise<void>;
  cancel(transaction: Transaction, name: KeptAnswerName): Promise<void>;
  deleteByConversation(transaction: Transaction, conversationId: string): Promise<void>;
}
