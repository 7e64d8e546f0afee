import { auditEvents } from "@/lib/contract/audit-events";
import { auditedAs } from "../audit/audit-context";
import { type AdmissionContext, acceptInvite, type Seat } from "../members/accept-invite";
import { inviteStatus } from "../members/invite-status";
import type { InviteRecord } from "../members/invite-store";
import type { UserRecord } from "../members/user-store";
import type { OneAtATime } from "../ports/one-at-a-time";
import type { ProjectStore } from "../projects/project-store";
import type { AccessGraph } from "../roles/access-graph";

export interface AdmitContext extends AdmissionContext {
  readonly projects: ProjectStore;
  readonly graph: AccessGraph;
  readonly inTurn: OneAtATime;
}

/** Makes the invited person a member with the invitation's roles. @throws Refusal as `acceptInvite` does. */
export function admitMember(
  context: AdmitContext,
  invite: InviteRecord,
  { name, password }: { name: string; password: string | null },
): Promise<UserRecord> {
  return context.inTurn(async () => {
    const seats = await seatsOf(context, invite);
    const user = await auditedAs(auditEvents.acceptInvite, () =>
      acceptInvite(context, invite, { name, seats, password }),
    );
    const principal = { kind: "user" as const, id: user.id };
    for (const { projectId, roleId } of seats) {
      const assignment = { principal, roleId, projectId, createdAtMs: user.createdAtMs };
      context.graph.replaceAssignments(principal, projectId, [assignment]);
    }
    return user;
  });
}

/** Admits whoever the organization's provider vouches for, if they are invited under that address. */
export async function admitInvited(
  context: AdmitContext,
  { email, name }: { email: string; name: string },
): Promise<void> {
  if (context.userBook.findByEmail(email)) return;
  const nowMs = context.effects.clock.nowMs();
  const invite = (await context.invites.list()).find(
    (one) => one.email === email && inviteStatus(one, nowMs) === "pending",
  );
  if (invite) await admitMember(context, invite, { name, password: null });
}

/** What of an invitation can still be taken: projects may have been archived, and roles deleted, since it was sent. */
async function seatsOf({ projects, graph }: AdmitContext, invite: InviteRecord): Promise<Seat[]> {
  const open = (await projects.list()).filter(({ archivedAtMs }) => archivedAtMs === null);
  const inProjects = invite.projects.filter(({ projectId }) => open.some(({ id }) => id === projectId));
  const seats = [{ projectId: null, roleId: invite.roleId }, ...inProjects];
  return seats.filter(({ roleId }) => graph.findRole(roleId) !== undefined);
}
