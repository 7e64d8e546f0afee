import type { Transaction } from "../changes/transaction";
import type { Effects } from "../effects";
import { Refusal } from "../refusal";
import { hashSecret } from "../secrets/hash-secret";
import type { InviteRecord, InviteStore } from "./invite-store";
import { newUser } from "./new-user";
import type { UserMirror } from "./user-mirror";
import type { UserRecord } from "./user-store";

/** A role that an invitation grants in a project or, with null, in the organization. */
export interface InvitedRole {
  readonly projectId: string | null;
  readonly roleId: string;
}

interface NewMember {
  readonly user: UserRecord;
  readonly roles: readonly InvitedRole[];
  /** Null for a member who signs in with the organization's OpenID provider. */
  readonly passwordHash: string | null;
}

export interface MemberAdmission {
  /**
   * Consumes a pending invitation and creates the member with roles and password, atomically and exactly once, however
   * many requests arrive.
   * @returns whether the invitation was pending.
   */
  admit(transaction: Transaction, inviteHash: string, member: NewMember): Promise<boolean>;
}

export interface AdmissionContext {
  readonly invites: InviteStore;
  readonly memberAdmission: MemberAdmission;
  readonly userMirror: UserMirror;
  readonly effects: Effects;
}

/**
 * Does not check the inviter. @throws Refusal 400, worded the same for an unknown, used, expired or withdrawn token.
 */
export async function findPendingInvite(
  { invites, effects }: Pick<AdmissionContext, "invites" | "effects">,
  token: string,
): Promise<InviteRecord> {
  const invite = await invites.findPending(hashSecret(token), effects.clock.nowMs());
  if (!invite) throw invalidInvite();
  return invite;
}

/**
 * Makes the invited person a member. `roles` are those that the invitation still grants.
 * @throws Refusal 400 if the invitation is no longer pending; 409 if a member has the address.
 */
export async function acceptInvite(
  { memberAdmission, userMirror, effects }: AdmissionContext,
  transaction: Transaction,
  { email, hash }: InviteRecord,
  { name, roles, passwordHash }: Omit<NewMember, "user"> & { readonly name: string },
): Promise<UserRecord> {
  const user = newUser({ userMirror, effects }, { email, name });
  const isAdmitted = await memberAdmission.admit(transaction, hash, { user, roles, passwordHash });
  if (!isAdmitted) throw invalidInvite();
  return user;
}

/** 400, worded the same whatever is wrong with an invitation. */
export function invalidInvite(): Refusal {
  const message =
    "This invitation was used, has expired or was withdrawn, or whoever sent it may no longer invite. Ask for a new one.";
  return new Refusal(400, "invalid_request_error", "invalid_invite", message, { param: "token" });
}
