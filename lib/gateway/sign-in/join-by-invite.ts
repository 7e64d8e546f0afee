import { auditEvents } from "@/lib/contract/access/audit-events";
import { type ActorContext, resolveActor } from "../access/authenticate";
import { type ChangeRequest, change, withEventType } from "../changes/change";
import type { Transaction } from "../changes/transactions.sql";
import type { InviteRecord } from "../people/invite-store.sql";
import {
  type AdmissionContext,
  acceptInvite,
  findPendingInvite,
  type InvitedRole,
  invalidInvite,
} from "../people/invites";
import type { UserRecord } from "../people/user-store.sql";
import { findLackedPermission } from "../roles/actor";
import type { SignInClient } from "./attempts";
import { hashPassword } from "./password-hash";
import { type MemberSession, startMemberSession } from "./sign-in";
import type { SignInContext } from "./sign-in-context";
import { refuseWeakPassword } from "./weak-passwords";

/**
 * A pending invitation that its inviter could still send.
 * @throws Refusal 400, worded the same whatever is wrong with it.
 */
export async function findUsableInvite(context: SignInContext, token: string): Promise<InviteRecord> {
  const invite = await findPendingInvite(context, token);
  if (!mayInvite(context, invite, await findUsableRoles(context, invite))) throw invalidInvite();
  return invite;
}

/**
 * Makes the invited person a member with the invitation's roles and a password, and signs them in.
 * @throws Refusal 400 for the invitation or a weak password; 409 if a member has the address.
 */
export async function joinByInvite(
  context: SignInContext,
  request: ChangeRequest,
  client: SignInClient,
  { token, name, password }: { readonly token: string; readonly name: string; readonly password: string },
): Promise<MemberSession> {
  const invite = await findUsableInvite(context, token);
  await refuseWeakPassword(password, invite.email);
  const passwordHash = await hashPassword(password);
  const { id } = await admit(context, request, invite, { name, passwordHash });
  return startMemberSession(context, request, client, id);
}

/**
 * Makes a person that the OpenID provider authenticated a member, if their address has a usable invitation.
 * @returns whether they became a member.
 */
export async function joinIfInvited(
  context: SignInContext,
  request: ChangeRequest,
  { email, name }: { email: string; name: string },
): Promise<boolean> {
  if (context.userCache.findByEmail(email)) return false;
  const nowMs = context.runtime.clock.nowMs();
  const invite = await context.invites.findPendingByEmail(email, nowMs);
  if (!invite || !mayInvite(context, invite, await findUsableRoles(context, invite))) return false;
  await admit(context, request, invite, { name, passwordHash: null });
  return true;
}

/** @throws Refusal as `acceptInvite`, and 400 if the inviter may no longer grant these roles. */
function admit(
  context: SignInContext,
  request: ChangeRequest,
  invite: InviteRecord,
  { name, passwordHash }: { readonly name: string; readonly passwordHash: string | null },
): Promise<UserRecord> {
  return change(context, withEventType(auditEvents.acceptInvite, request), async (transaction) => {
    const user = await acceptUsable(context, transaction, invite, name);
    if (!user) throw invalidInvite();
    if (passwordHash !== null)
      await context.credentialStore.setPassword(transaction, user, passwordHash, user.createdAtMs);
    return user;
  });
}

/** The needs of inviting a person whom a directory adds. */
export type DirectoryAdmission = AdmissionContext & ActorContext & Pick<SignInContext, "projects">;

/** Makes a person whom the directory adds a member with the roles of their usable invitation; null without one. */
export async function acceptForDirectory(
  context: DirectoryAdmission,
  transaction: Transaction,
  { email, name }: { readonly email: string; readonly name: string },
): Promise<UserRecord | null> {
  const invite = await context.invites.findPendingByEmail(email, context.runtime.clock.nowMs());
  return invite && acceptUsable(context, transaction, invite, name);
}

async function acceptUsable(
  context: DirectoryAdmission,
  transaction: Transaction,
  invite: InviteRecord,
  name: string,
): Promise<UserRecord | null> {
  const roles = await findUsableRoles(context, invite);
  if (!mayInvite(context, invite, roles)) return null;
  const groupIds = invite.groupIds.filter((id) => context.groupCache.find(id)?.isScimManaged === false);
  return acceptInvite(context, transaction, invite, { name, roles, groupIds });
}

/**
 * Whether the inviter could send it today: they may have lost permissions since, and its roles may have gained some.
 */
function mayInvite(
  context: ActorContext,
  { inviter, groupIds }: InviteRecord,
  roles: readonly InvitedRole[],
): boolean {
  const actor = inviter && resolveActor(context, inviter);
  if (!actor?.permissionsIn(null).has("api.invites.write")) return false;
  if (groupIds.length > 0 && !actor.permissionsIn(null).has("api.groups.write")) return false;
  const ofGroups = groupIds.flatMap((id) =>
    context.graph.directRoles({ id }).map(({ assignment }) => assignment),
  );
  return [...roles, ...ofGroups].every(({ roleId, projectId }) => {
    const rolePermissions = context.graph.findRole(roleId)?.permissions ?? [];
    return findLackedPermission(actor, rolePermissions, projectId) === null;
  });
}

/** The roles that an invitation still grants: projects may have been archived, and roles deleted, since it was sent. */
async function findUsableRoles(
  { projects, graph }: DirectoryAdmission,
  invite: InviteRecord,
): Promise<InvitedRole[]> {
  const roles: InvitedRole[] = [{ projectId: null, roleId: invite.roleId }];
  for (const role of invite.projects) {
    if ((await projects.find(role.projectId))?.archivedAtMs === null) roles.push(role);
  }
  return roles.filter(({ roleId }) => graph.findRole(roleId) !== undefined);
}
