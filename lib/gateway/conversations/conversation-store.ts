import type { Transaction } from "../changes/transaction";

/** What somebody has kept of the playground. */
export interface Conversation extends ConversationHead {
  /** JSON, as its console wrote it. */
  readonly content: string;
}

export interface ConversationHead {
  readonly id: string;
  /** The member or admin key that it belongs to. */
  readonly ownerId: string;
  readonly projectId: string | null;
  readonly title: string;
  /** Whether everybody who has the link may read it. */
  readonly isShared: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Conversations, each sealed by itself. */
export interface ConversationStore {
  /** Null where there is none, or none that this gateway's secret opens. */
  find(id: string): Promise<Conversation | null>;
  /** The newest first. */
  listOf(ownerId: string): Promise<readonly ConversationHead[]>;
  save(transaction: Transaction, conversation: Conversation): Promise<void>;
  delete(transaction: Transaction, id: string): Promise<void>;
  /** Deletes all of its owner's but the `most` that were changed last, and never the one that was just saved. */
  keepNewest(transaction: Transaction, saved: ConversationHead, most: number): Promise<void>;
}
