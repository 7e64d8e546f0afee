import type { Transaction } from "../changes/transaction";
import type { PagedList } from "../lists/paged-list";
import type { ActorRef } from "../roles/actor";

export interface InviteRecord {
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  /** The role in the organization. */
  readonly roleId: string;
  readonly projects: readonly { readonly projectId: string; readonly roleId: string }[];
  /** Of the token in the invitation's link. */
  readonly hash: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly acceptedAtMs: number | null;
  /** The invitation is void once they may no longer invite. Null where it is not known who it was. */
  readonly inviter: ActorRef | null;
}

export interface InviteStore {
  /** Newest first. */
  listed(): PagedList<InviteRecord>;
  find(id: string): Promise<InviteRecord | null>;
  /** The invitation to an address that is neither accepted nor expired. */
  findPendingOf(email: string, nowMs: number): Promise<InviteRecord | null>;
  insert(transaction: Transaction, invite: InviteRecord): Promise<void>;
  /** Deletes an invitation that is not accepted. @returns whether there was one. */
  delete(transaction: Transaction, id: string): Promise<boolean>;
  /** The pending invitation by this hash. */
  findPending(hash: string, nowMs: number): Promise<InviteRecord | null>;
  /** Marks a pending invitation as accepted, in one step. @returns it, or null where none is pending by this hash. */
  accept(transaction: Transaction, hash: string, nowMs: number): Promise<InviteRecord | null>;
}

/** An invitation that was accepted in time stays accepted. */
export function inviteStatus(
  { acceptedAtMs, expiresAtMs }: InviteRecord,
  nowMs: number,
): "pending" | "accepted" | "expired" {
  if (acceptedAtMs !== null) return "accepted";
  return expiresAtMs <= nowMs ? "expired" : "pending";
}
