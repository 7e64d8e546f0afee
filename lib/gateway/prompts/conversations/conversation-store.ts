import type { Transaction } from "../../changes/transaction";

/** A saved playground conversation. */
export interface Conversation extends ConversationHead {
  /** JSON, in the console's own format. */
  readonly content: string;
}

export interface ConversationHead {
  readonly id: string;
  /** The member or admin key that owns it. */
  readonly ownerId: string;
  readonly projectId: string | null;
  readonly title: string;
  /** Whether everyone with the link may read it. */
  readonly isShared: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Conversations, each sealed separately. */
export interface ConversationStore {
  /** Null if there is none, or if it was sealed with another secret. */
  find(id: string): Promise<Conversation | null>;
  /** Newest first. */
  listByOwner(ownerId: string): Promise<readonly ConversationHead[]>;
  save(transaction: Transaction, conversation: Conversation): Promise<void>;
  delete(transaction: Transaction, id: string): Promise<void>;
  /** Deletes all but the owner's `max` last changed conversations, and never the one that was just saved. */
  keepNewest(transaction: Transaction, conversation: ConversationHead, max: number): Promise<void>;
}
