import { toOrganizationRoleId, toProjectRoleId } from "@/lib/contract/access/role-words";
import { DAY_MS } from "@/lib/contract/durations";
import { newId } from "@/lib/contract/ids";
import type { InviteDraft } from "@/lib/contract/operations/people/invites";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { Effects } from "../effects";
import type { ProjectStore } from "../projects/project-store.sql";
import { refuseArchived } from "../projects/projects";
import { conflict, notFound } from "../refusal";
import type { AccessGraph } from "../roles/access-graph";
import { type Actor, type ActorRef, refuseLackedPermission } from "../roles/actor";
import { findRole } from "../roles/roles";
import { hashSecret } from "../secrets/hash-secret";
import { newToken } from "../secrets/new-token";
import type { InviteRecord, InviteStore } from "./invite-store";
import type { UserMirror } from "./user-mirror";

export const INVITE_MS = 7 * DAY_MS;

export interface InviteContext extends ChangeContext {
  readonly invites: InviteStore;
  readonly projects: ProjectStore;
  readonly userMirror: UserMirror;
  readonly graph: AccessGraph;
  readonly effects: Effects;
}

/** The inviter: their permissions, and the reference that is stored with the invitation. */
export interface Inviter {
  readonly actor: Actor;
  readonly ref: ActorRef;
}

/**
 * Invites a person. `token` is part of the link, can be used once within seven days, and is not stored.
 * @throws Refusal 404 and 403 for roles that the inviter can't grant; 409 if a member has the address or another
 * invitation to it is pending.
 */
export function createInvite(
  context: InviteContext,
  request: ChangeRequest,
  { actor, ref: inviter }: Inviter,
  draft: InviteDraft,
): Promise<{ invite: InviteRecord; token: string }> {
  const { invites, userMirror, effects } = context;
  return change(context, request, async (transaction) => {
    const roleId = findGrantableRole(context, actor, { word: draft.role, projectId: null, param: "role" });
    const projects = await findGrantableProjects(context, actor, draft);
    const createdAtMs = effects.clock.nowMs();
    const email = draft.email.toLowerCase();
    if (userMirror.findByEmail(email)) throw conflict("email", `${email} belongs to a member already.`);
    if (await invites.findPendingByEmail(email, createdAtMs)) {
      throw conflict("email", `${email} is invited already; withdraw that invitation to send another.`);
    }
    const token = newToken("gi_", effects.random);
    const id = newId("invite", createdAtMs, effects.random);
    const times = { createdAtMs, expiresAtMs: createdAtMs + INVITE_MS, acceptedAtMs: null };
    const invite = { id, email, roleId, projects, inviter, hash: hashSecret(token), ...times };
    await invites.insert(transaction, invite);
    return { invite, token };
  });
}

const activeProjects = { ids: null, withArchived: false };

/** The projects in which an invitation grants roles. @throws Refusal 404, 409 for an archived one, 403. */
async function findGrantableProjects(context: InviteContext, actor: Actor, { projects }: InviteDraft) {
  const [oldest] = projects ? [] : await context.projects.pages(activeProjects).read({ limit: 1 });
  const usual = oldest ? [{ id: oldest.id, role: "member" }] : [];
  const grantable: InviteRecord["projects"][number][] = [];
  for (const [index, { id: projectId, role }] of (projects ?? usual).entries()) {
    const [param, project] = [`projects.${index}`, await context.projects.find(projectId)];
    if (!project) throw notFound("project", projectId, `${param}.id`);
    refuseArchived(project, `${param}.id`);
    const roleId = findGrantableRole(context, actor, { word: role, projectId, param: `${param}.role` });
    grantable.push({ projectId, roleId });
  }
  return grantable;
}

/** The id of a role in a project or the organization that the actor may grant. @throws Refusal 404 or 403. */
function findGrantableRole(
  { graph }: InviteContext,
  actor: Actor,
  { word, projectId, param }: { word: string; projectId: string | null; param: string },
): string {
  const id = projectId === null ? toOrganizationRoleId(word) : toProjectRoleId(word);
  const role = findRole(graph, id, projectId, param);
  refuseLackedPermission(actor, role.permissions, projectId, param);
  return role.id;
}
