import type { Transaction } from "../changes/transaction";
import type { PagedList } from "../lists/paged-list";
import type { ActorRef } from "../roles/actor";

export interface InviteRecord {
  readonly id: string;
  /** The address in lower case. */
  readonly email: string;
  /** The role in the organization. */
  readonly roleId: string;
  readonly projects: readonly { readonly projectId: string; readonly roleId: string }[];
  /** The hash of the token in the invitation's link. */
  readonly hash: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly acceptedAtMs: number | null;
  /** The invitation is void once the inviter may no longer invite. Null if the inviter is unknown. */
  readonly inviter: ActorRef | null;
}

export interface InviteStore {
  /** Newest first. */
  pages(): PagedList<InviteRecord>;
  find(id: string): Promise<InviteRecord | null>;
  /** The pending, unexpired invitation to an address. */
  findPendingByEmail(email: string, nowMs: number): Promise<InviteRecord | null>;
  insert(transaction: Transaction, invite: InviteRecord): Promise<void>;
  /** Deletes an invitation that is not accepted. @returns whether there was one. */
  delete(transaction: Transaction, id: string): Promise<boolean>;
  /** The pending invitation by this hash. */
  findPending(hash: string, nowMs: number): Promise<InviteRecord | null>;
  /**
   * Marks a pending invitation as accepted, atomically.
   * @returns the invitation; null if none with this hash is pending.
   */
  accept(transaction: Transaction, hash: string, nowMs: number): Promise<InviteRecord | null>;
}

/** An invitation that was accepted before its expiry stays accepted. */
export function inviteStatus(
  { acceptedAtMs, expiresAtMs }: InviteRecord,
  nowMs: number,
): "pending" | "accepted" | "expired" {
  if (acceptedAtMs !== null) return "accepted";
  return expiresAtMs <= nowMs ? "expired" : "pending";
}
