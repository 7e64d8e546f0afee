import { auditEvents } from "@/lib/contract/audit-events";
import { type ActorContext, resolveActor } from "../access/resolve-actor";
import { type ChangeContext, type ChangeRequest, change, requestAs } from "../changes/change";
import {
  type AdmissionContext,
  acceptInvite,
  findPendingInvite,
  invalidInvite,
  type Seat,
} from "../members/accept-invite";
import type { InviteRecord } from "../members/invite-store";
import type { UserRecord } from "../members/user-store";
import type { ProjectStore } from "../projects/project-store";
import { excessOf } from "../roles/change-access";
import { hashPassword } from "../sign-in/password-hash";

export interface AdmitContext extends AdmissionContext, ActorContext, ChangeContext {
  readonly projects: ProjectStore;
}

/** A pending invitation that its inviter could still send. @throws Refusal 400, the same whatever is wrong with it. */
export async function findInvite(context: AdmitContext, token: string): Promise<InviteRecord> {
  const invite = await findPendingInvite(context, token);
  if (!mayInvite(context, invite, await seatsOf(context, invite))) throw invalidInvite();
  return invite;
}

/**
 * Makes the invited person a member with the invitation's roles.
 * @throws Refusal as `acceptInvite` does, and 400 where the inviter may no longer invite with these roles.
 */
export async function admitMember(
  context: AdmitContext,
  request: ChangeRequest,
  invite: InviteRecord,
  { name, password }: { name: string; password: string | null },
): Promise<UserRecord> {
  const passwordHash = password === null ? null : await hashPassword(password);
  return change(context, requestAs(auditEvents.acceptInvite, request), async (transaction) => {
    const seats = await seatsOf(context, invite);
    if (!mayInvite(context, invite, seats)) throw invalidInvite();
    return acceptInvite(context, transaction, invite, { name, seats, passwordHash });
  });
}

/**
 * Admits whoever the organization's provider vouches for, if they are invited under that address and their inviter may still
 * invite. @returns whether they have become a member by it.
 */
export async function admitInvited(
  context: AdmitContext,
  request: ChangeRequest,
  { email, name }: { email: string; name: string },
): Promise<boolean> {
  if (context.userMirror.findByEmail(email)) return false;
  const nowMs = context.effects.clock.nowMs();
  const invite = await context.invites.findPendingOf(email, nowMs);
  if (!invite || !mayInvite(context, invite, await seatsOf(context, invite))) return false;
  await admitMember(context, request, invite, { name, password: null });
  return true;
}

/** What is asked of whoever creates an invitation is asked of them again: they may have lost it since, or the role grown. */
function mayInvite(context: AdmitContext, { inviter }: InviteRecord, seats: readonly Seat[]): boolean {
  const actor = inviter && resolveActor(context, inviter);
  if (!actor?.permissionsIn(null).has("api.invites.write")) return false;
  return seats.every(({ roleId, projectId }) => {
    const carried = context.graph.findRole(roleId)?.permissions ?? [];
    return excessOf(actor, carried, projectId) === null;
  });
}

/** What of an invitation can still be taken: projects may have been archived, and roles deleted, since it was sent. */
async function seatsOf({ projects, graph }: AdmitContext, invite: InviteRecord): Promise<Seat[]> {
  const seats: Seat[] = [{ projectId: null, roleId: invite.roleId }];
  for (const seat of invite.projects) {
    if ((await projects.find(seat.projectId))?.archivedAtMs === null) seats.push(seat);
  }
  return seats.filter(({ roleId }) => graph.findRole(roleId) !== undefined);
}
