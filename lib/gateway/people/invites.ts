import { toOrganizationRoleId, toProjectRoleId } from "@/lib/contract/access/role-words";
import { DAY_MS } from "@/lib/contract/durations";
import { newId } from "@/lib/contract/ids";
import type { InviteDraft } from "@/lib/contract/operations/people/invites";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { Transaction } from "../changes/transactions.sql";
import type { ClockAndRandom } from "../clock";
import type { ProjectStore } from "../projects/project-store.sql";
import { refuseArchived } from "../projects/projects";
import { conflict, missingPermission, notFound, Refusal } from "../refusal";
import type { AccessGraph } from "../roles/access-graph";
import {
  type Actor,
  type ActorRef,
  refuseLackedPermission,
  refuseLackedRolePermissions,
} from "../roles/actor";
import type { RoleStore } from "../roles/role-store.sql";
import { findRole } from "../roles/roles";
import { hashSecret, newToken } from "../secrets/secret";
import type { GroupStore } from "./group-store.sql";
import { type GroupCache, refuseKeptByDirectory } from "./groups";
import type { InviteRecord, InviteStore } from "./invite-store.sql";
import { newUser, type UserCache } from "./members";
import type { UserRecord, UserStore } from "./user-store.sql";

export const INVITE_MS = 7 * DAY_MS;

export interface InviteContext extends ChangeContext {
  readonly invites: InviteStore;
  readonly projects: ProjectStore;
  readonly userCache: UserCache;
  readonly groupCache: GroupCache;
  readonly graph: AccessGraph;
  readonly runtime: ClockAndRandom;
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
  const { invites, userCache, runtime } = context;
  return change(context, request, async (transaction) => {
    const roleId = findGrantableRole(context, actor, { word: draft.role, projectId: null, param: "role" });
    const projects = await findGrantableProjects(context, actor, draft);
    const groupIds = findJoinableGroups(context, actor, draft);
    const createdAtMs = runtime.clock.nowMs();
    const email = draft.email.toLowerCase();
    if (userCache.findByEmail(email)) throw conflict("email", `${email} belongs to a member already.`);
    if (await invites.findPendingByEmail(email, createdAtMs)) {
      throw conflict("email", `${email} is invited already; withdraw that invitation to send another.`);
    }
    const token = newToken("gi_", runtime.random);
    const id = newId("invite", createdAtMs, runtime.random);
    const times = { createdAtMs, expiresAtMs: createdAtMs + INVITE_MS, acceptedAtMs: null };
    const invite = { id, email, roleId, projects, groupIds, inviter, hash: hashSecret(token), ...times };
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

/** The groups that the actor may add people to. @throws Refusal 404 or 403. */
function findJoinableGroups(
  { groupCache, graph }: InviteContext,
  actor: Actor,
  { groups = [] }: InviteDraft,
): readonly string[] {
  if (groups.length > 0 && !actor.permissionsIn(null).has("api.groups.write"))
    throw missingPermission("api.groups.write");
  for (const [index, id] of groups.entries()) {
    const group = groupCache.find(id);
    if (!group) throw notFound("group", id, `groups.${index}`);
    refuseKeptByDirectory(group);
    refuseLackedRolePermissions(actor, graph.directRoles({ id }));
  }
  return groups;
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

/**
 * Withdraws an invitation: its link stops working.
 * @throws Refusal 404; 403 for one that grants more than the actor holds; 409 for one that was accepted.
 */
export function deleteInvite(
  context: InviteContext,
  request: ChangeRequest,
  actor: Actor,
  id: string,
): Promise<void> {
  const { invites, graph } = context;
  return change(context, request, async (transaction) => {
    const { email, roleId, projects } = await findInvite(invites, id);
    for (const role of [{ projectId: null, roleId }, ...projects]) {
      refuseLackedPermission(actor, graph.findRole(role.roleId)?.permissions ?? [], role.projectId);
    }
    if (await invites.delete(transaction, id)) return;
    const message = `${email} has accepted this invitation; remove the member instead.`;
    throw conflict("invite_id", message, "invite_accepted");
  });
}

/** @throws Refusal 404. */
export async function findInvite(invites: InviteStore, id: string): Promise<InviteRecord> {
  const invite = await invites.find(id);
  if (!invite) throw notFound("invite", id, "invite_id");
  return invite;
}

/** A role that an invitation grants in a project or, with null, in the organization. */
export interface InvitedRole {
  readonly projectId: string | null;
  readonly roleId: string;
}

/** Who joins, and with what. */
interface Admitted {
  readonly name: string;
  readonly roles: readonly InvitedRole[];
  readonly groupIds: readonly string[];
}

export interface AdmissionContext {
  readonly invites: InviteStore;
  readonly users: UserStore;
  readonly groups: Pick<GroupStore, "addUser">;
  readonly groupCache: Pick<GroupCache, "find">;
  readonly roles: RoleStore;
  readonly userCache: UserCache;
  readonly runtime: ClockAndRandom;
}

/**
 * Does not check the inviter. @throws Refusal 400, worded the same for an unknown, used, expired or withdrawn token.
 */
export async function findPendingInvite(
  { invites, runtime }: Pick<AdmissionContext, "invites" | "runtime">,
  token: string,
): Promise<InviteRecord> {
  const invite = await invites.findPending(hashSecret(token), runtime.clock.nowMs());
  if (!invite) throw invalidInvite();
  return invite;
}

/**
 * Makes the invited person a member, exactly once, however many requests arrive. `roles` are those that the invitation
 * still grants, `groupIds` the groups that it still leads into.
 * @throws Refusal 400 if the invitation is no longer pending; 409 if a member has the address.
 */
export async function acceptInvite(
  { invites, users, groups, roles: roleStore, userCache, runtime }: AdmissionContext,
  transaction: Transaction,
  { email, hash }: InviteRecord,
  { name, roles, groupIds }: Admitted,
): Promise<UserRecord> {
  const user = newUser({ userCache, runtime }, { email, name });
  const { id, createdAtMs } = user;
  if (!(await invites.accept(transaction, hash, createdAtMs))) throw invalidInvite();
  await users.insert(transaction, user);
  const principal = { kind: "user" as const, id };
  const assignments = roles.map((role) => ({ ...role, principal, createdAtMs }));
  await roleStore.insertAssignments(transaction, assignments);
  for (const groupId of groupIds) await groups.addUser(transaction, groupId, id, createdAtMs);
  return user;
}

/** 400, worded the same whatever is wrong with an invitation. */
export function invalidInvite(): Refusal {
  const message =
    "This invitation was used, has expired or was withdrawn, or whoever sent it may no longer invite. Ask for a new one.";
  return new Refusal(400, "invalid_request_error", "invalid_invite", message, { param: "token" });
}
