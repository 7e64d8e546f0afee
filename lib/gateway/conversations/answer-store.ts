import type { Transaction } from "../changes/transaction";

/** A conversation's id and the id of an answer in it. */
export interface AnswerName {
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

/** A call whose reply is stored, with what has arrived so far. */
export interface AnswerRecord extends AnswerName {
  readonly ownerId: string;
  readonly requestId: string;
  /** Null until the reply begins. */
  readonly head: ReplyHead | null;
  readonly isRunning: boolean;
  readonly isCanceled: boolean;
  /** Updated every few seconds while the call runs. If it is older, the call's process has died. */
  readonly updatedAtMs: number;
}

export interface AnswerPart {
  readonly number: number;
  readonly text: string;
}

/** Stores the replies of calls that continue without their client. Each part is encrypted separately. */
export interface AnswerStore {
  find(name: AnswerName): Promise<AnswerRecord | null>;
  /** Returns the parts in order. `after` is the number of the last known part. */
  partsAfter(name: AnswerName, after: number): Promise<readonly AnswerPart[]>;
  insert(transaction: Transaction, answer: AnswerRecord): Promise<void>;
  /** Stores the present state. Doesn't change `isCanceled`. */
  write(
    transaction: Transaction,
    answer: Omit<AnswerRecord, "isCanceled">,
    part: AnswerPart | null,
  ): Promise<void>;
  cancel(transaction: Transaction, name: AnswerName): Promise<void>;
  deleteByConversation(transaction: Transaction, conversationId: string): Promise<void>;
}
