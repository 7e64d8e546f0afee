import { toOrganizationRoleId, toProjectRoleId } from "@/lib/contract/access/role-words";
import { newId } from "@/lib/contract/ids";
import type { UserChange } from "@/lib/contract/operations/people/users";
import type { ProjectUserDraft } from "@/lib/contract/operations/projects/project-users";
import { type ChangeRequest, change } from "../changes/change";
import { CachedRows, type TableCache } from "../changes/table-cache";
import type { ClockAndRandom } from "../clock";
import { conflict, notFound } from "../refusal";
import type { AccessGraph } from "../roles/access-graph";
import { type Actor, refuseLackedRolePermissions, refuseLostOwnership } from "../roles/actor";
import { replaceRoles } from "../roles/role-assignments";
import { findRole, type RoleContext } from "../roles/roles";
import type { UserRecord, UserStore } from "./user-store.sql";

/** The members in memory. */
export class UserCache {
  readonly #rows: CachedRows<UserRecord>;

  constructor(users: readonly UserRecord[] = []) {
    this.#rows = new CachedRows(users);
  }

  find(id: string): UserRecord | undefined {
    return this.#rows.find(id);
  }

  /** Undefined also for a member who was deactivated. */
  findActive(id: string): UserRecord | undefined {
    const user = this.#rows.find(id);
    return user?.deactivatedAtMs === null ? user : undefined;
  }

  /** Ignores the case of `email`. */
  findByEmail(email: string): UserRecord | undefined {
    const folded = email.toLowerCase();
    return this.list().find((user) => user.email === folded);
  }

  /** Oldest first. */
  list(): UserRecord[] {
    return this.#rows.list();
  }

  following(store: Pick<UserStore, "list" | "find">): TableCache {
    return this.#rows.following("users", store);
  }
}

/** @throws Refusal 404 when there is no such member. */
export function findUser(userCache: UserCache, id: string, param = "user_id"): UserRecord {
  const user = userCache.find(id);
  if (!user) throw notFound("user", id, param);
  return user;
}

/** A member whom the actor may manage. @throws Refusal 404; 403 for a member with more permissions than the actor. */
export function findManageableUser(
  { userCache, graph }: { readonly userCache: UserCache; readonly graph: AccessGraph },
  actor: Actor,
  id: string,
): UserRecord {
  const user = findUser(userCache, id);
  refuseLackedRolePermissions(actor, graph.listUserRoles(id));
  return user;
}

/**
 * A member who is not stored yet and holds no role. `email` is a validated address in any case.
 * @throws Refusal 409 if a member has it.
 */
export function newUser(
  { userCache, runtime }: { userCache: UserCache; runtime: ClockAndRandom },
  draft: { email: string; name: string },
): UserRecord {
  const email = draft.email.toLowerCase();
  if (userCache.findByEmail(email)) throw conflict("email", `${email} belongs to a member already.`);
  const createdAtMs = runtime.clock.nowMs();
  return {
    id: newId("user", createdAtMs, runtime.random),
    email,
    name: draft.name,
    developerPersona: null,
    technicalLevel: null,
    createdAtMs,
    directory: null,
    deactivatedAtMs: null,
  };
}

export interface UserContext extends RoleContext {
  readonly users: UserStore;
  readonly userCache: UserCache;
}

/**
 * Changes a member's role in the organization, and their profile fields.
 * @throws Refusal 404; 403 and 409 as `replaceRoles` does.
 */
export function changeUser(
  context: UserContext,
  request: ChangeRequest,
  actor: Actor,
  id: string,
  draft: UserChange,
): Promise<UserRecord> {
  const { graph, users, userCache } = context;
  return change(context, request, async (transaction) => {
    const user = findUser(userCache, id);
    const [param, roleName] = draft.role_id
      ? (["role_id", draft.role_id] as const)
      : (["role", draft.role] as const);
    if (roleName) {
      const role = findRole(graph, toOrganizationRoleId(roleName), null, param);
      await replaceRoles(context, transaction, actor, { principal: { kind: "user", id }, projectId: null }, [
        role,
      ]);
    }
    if (draft.developer_persona === undefined && draft.technical_level === undefined) return user;
    const changedUser = {
      ...user,
      developerPersona: describeNoteChange(user.developerPersona, draft.developer_persona),
      technicalLevel: describeNoteChange(user.technicalLevel, draft.technical_level),
    };
    await users.update(transaction, changedUser);
    return changedUser;
  });
}

function describeNoteChange(before: string | null, after: string | null | undefined): string | null {
  return after === undefined ? before : after || null;
}

/**
 * Removes a member with their roles, groups and sessions, with immediate effect.
 * @throws Refusal 404; 403 for a member with more permissions than the actor, and for an Owner removing themselves; 409
 * for the last Owner.
 */
export function removeUser(
  context: UserContext,
  request: ChangeRequest,
  actor: Actor,
  id: string,
): Promise<void> {
  const { graph, users, runtime } = context;
  return change(context, request, async (transaction) => {
    findManageableUser(context, actor, id);
    refuseLostOwnership(graph, actor, (records) => records.removePrincipal({ kind: "user", id }));
    await users.remove(transaction, id, runtime.clock.nowMs());
  });
}

/** Gives a member a role in a project. @throws Refusal 404; 409 if they already have one; and as `replaceRoles`. */
export function addProjectUser(
  context: UserContext,
  request: ChangeRequest,
  actor: Actor,
  projectId: string,
  draft: ProjectUserDraft,
): Promise<UserRecord> {
  const { graph, userCache } = context;
  return change(context, request, async (transaction) => {
    const user = findNamed(userCache, draft);
    if (graph.directRoles(user, projectId).length > 0) {
      throw conflict(draft.email ? "email" : "user_id", `${user.email} is in this project already.`);
    }
    const role = findRole(graph, toProjectRoleId(draft.role), projectId, "role");
    await replaceRoles(context, transaction, actor, toRoleTarget(user.id, projectId), [role]);
    return user;
  });
}

/** Replaces all roles that a member holds in a project by one. @throws Refusal 404, and as `replaceRoles`. */
export function changeProjectUser(
  context: UserContext,
  request: ChangeRequest,
  actor: Actor,
  { projectId, userId }: { projectId: string; userId: string },
  roleWord: string | null | undefined,
): Promise<void> {
  const { graph } = context;
  return change(context, request, async (transaction) => {
    findProjectUser(context, projectId, userId);
    if (!roleWord) return;
    const role = findRole(graph, toProjectRoleId(roleWord), projectId, "role");
    await replaceRoles(context, transaction, actor, toRoleTarget(userId, projectId), [role]);
  });
}

/** Removes all roles that a member holds directly in a project. @throws Refusal 404, and as `replaceRoles`. */
export function removeProjectUser(
  context: UserContext,
  request: ChangeRequest,
  actor: Actor,
  { projectId, userId }: { projectId: string; userId: string },
): Promise<void> {
  return change(context, request, async (transaction) => {
    findProjectUser(context, projectId, userId);
    await replaceRoles(context, transaction, actor, toRoleTarget(userId, projectId), []);
  });
}

/** @throws Refusal 404 if the member holds no role in the project directly. */
export function findProjectUser(
  { userCache, graph }: Pick<UserContext, "userCache" | "graph">,
  projectId: string,
  userId: string,
): UserRecord {
  const user = userCache.find(userId);
  if (user && graph.directRoles(user, projectId).length > 0) return user;
  throw notFound("user in this project", userId, "user_id");
}

function toRoleTarget(id: string, projectId: string) {
  return { principal: { kind: "user" as const, id }, projectId };
}

function findNamed(userCache: UserCache, { user_id: id, email }: ProjectUserDraft): UserRecord {
  if (id) return findUser(userCache, id);
  const user = userCache.findByEmail(email ?? "");
  if (!user) throw notFound("member with the address", email ?? "", "email");
  return user;
}
