import type { Transaction } from "../changes/transaction";

/** A conversation's id and the id of an answer in it. */
export interface AnswerName {
  readonly conversationId: string;
  readonly answerId: string;
}

/** The beginning of a reply: its status, and the headers that a client reads. */
export interface ReplyHead {
  readonly status: number;
  readonly contentType: string;
  /** The output limit where the gateway has lowered it. */
  readonly maxTokens: string | null;
}

/** A call whose reply is kept, as far as it has come. */
export interface AnswerRecord extends AnswerName {
  readonly ownerId: string;
  readonly requestId: string;
  /** Null until the reply begins. */
  readonly head: ReplyHead | null;
  readonly isRunning: boolean;
  readonly isCanceled: boolean;
  /** A running call is written again within seconds, or its process has died. */
  readonly updatedAtMs: number;
}

export interface AnswerPart {
  readonly number: number;
  readonly text: string;
}

/** Replies of calls that go on without their client, each part sealed separately. */
export interface AnswerStore {
  find(name: AnswerName): Promise<AnswerRecord | null>;
  /** In order; `after` is the number of the last part that is known. */
  partsAfter(name: AnswerName, after: number): Promise<readonly AnswerPart[]>;
  insert(transaction: Transaction, answer: AnswerRecord): Promise<void>;
  /** Adds what has come. Does not change `isCanceled`. */
  write(
    transaction: Transaction,
    answer: Omit<AnswerRecord, "isCanceled">,
    part: AnswerPart | null,
  ): Promise<void>;
  cancel(transaction: Transaction, name: AnswerName): Promise<void>;
  deleteOf(transaction: Transaction, conversationId: string): Promise<void>;
}
