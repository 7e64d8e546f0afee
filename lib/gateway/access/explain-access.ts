import type { Permission } from "@/lib/contract/access/permissions";
import { toProjectRoleId } from "@/lib/contract/access/role-words";
import type { ClockAndRandom } from "../clock";
import { isExpired } from "../keys/key-cache";
import type { AdminKeyRecord, ProjectKeyRecord } from "../keys/key-records";
import type { KeyStore } from "../keys/key-store.sql";
import type { GroupCache } from "../people/groups";
import { findUser, type UserCache } from "../people/members";
import type { ProjectStore } from "../projects/project-store.sql";
import { findProject } from "../projects/projects";
import { notFound } from "../refusal";
import type { AccessGraph, HeldRole, Role } from "../roles/access-graph";
import {
  findPathsTo,
  findSmallestRoleFor,
  findSmallestRoleWith,
  type SmallestRole,
} from "../roles/role-assignments";
import { isPermissionInScope } from "./authorize";

export interface ExplanationContext {
  readonly keys: Pick<KeyStore, "findAdminKey" | "findProjectKey">;
  readonly projects: Pick<ProjectStore, "find">;
  readonly userCache: UserCache;
  readonly groupCache: GroupCache;
  readonly graph: AccessGraph;
  readonly runtime: Pick<ClockAndRandom, "clock">;
}

interface NamedPrincipal<Type extends string> {
  readonly type: Type;
  readonly id: string;
  readonly name: string;
}

/** One way in which a principal holds a permission. */
interface Path {
  readonly role: Role;
  readonly heldBy: NamedPrincipal<"user" | "group" | "admin_key" | "project_key">;
  readonly projectId: string | null;
}

/** Whether and how a member or a key holds a permission. */
interface Explanation {
  readonly principal: NamedPrincipal<"user" | "admin_key" | "project_key">;
  /** Empty if the permission is not held. */
  readonly paths: readonly Path[];
  /** The smallest role that would grant the permission; null if none would, and if it is already held. */
  readonly smallestRole: SmallestRole | null;
}

interface PermissionQuestion {
  readonly permission: Permission;
  /** Null for the organization. */
  readonly projectId: string | null;
}

/** @throws Refusal 404 for a project, a member or a key that does not exist. */
export async function explainAccess(
  context: ExplanationContext,
  {
    userId,
    keyId = "",
    ...question
  }: PermissionQuestion & { readonly userId?: string; readonly keyId?: string },
): Promise<Explanation> {
  if (question.projectId !== null) await findProject(context.projects, question.projectId);
  const explanation =
    userId === undefined
      ? await explainKey(context, question, keyId)
      : explainUser(context, question, userId);
  return explanation.paths.length > 0 ? { ...explanation, smallestRole: null } : explanation;
}

function explainUser(
  { graph, userCache, groupCache }: ExplanationContext,
  { permission, projectId }: PermissionQuestion,
  userId: string,
): Explanation {
  const { id, name } = findUser(userCache, userId);
  const describePrincipal = ({ kind: type, id: principalId }: HeldRole["assignment"]["principal"]) => ({
    type,
    id: principalId,
    name: type === "user" ? name : (groupCache.find(principalId)?.name ?? principalId),
  });
  const paths = findPathsTo(graph, id, permission, projectId).map(({ role, assignment }) => ({
    role,
    heldBy: describePrincipal(assignment.principal),
    projectId: assignment.projectId,
  }));
  const permissions = graph.findPermissions({ kind: "user", id }, projectId);
  const smallestRole = findSmallestRoleFor(graph, permissions, permission, projectId);
  return { principal: { type: "user", id, name }, paths, smallestRole };
}

async function explainKey(
  context: ExplanationContext,
  question: PermissionQuestion,
  keyId: string,
): Promise<Explanation> {
  const adminKey = await context.keys.findAdminKey(keyId);
  if (adminKey) return explainAdminKey(context, question, adminKey);
  const projectKey = await context.keys.findProjectKey(keyId);
  if (projectKey) return explainProjectKey(context, question, projectKey);
  throw notFound("key", keyId, "key_id");
}

/** A key's role never changes, so the least role is the one that a replacement key would need. */
function explainAdminKey(
  { graph, runtime }: ExplanationContext,
  { permission }: PermissionQuestion,
  { id, name, roleId, expiresAtMs }: AdminKeyRecord,
): Explanation {
  const principal = { type: "admin_key" as const, id, name };
  if (isExpired({ expiresAtMs }, runtime.clock.nowMs())) return { principal, paths: [], smallestRole: null };
  const role = graph.findRole(roleId);
  const smallestRole = findSmallestRoleFor(graph, new Set(role?.permissions), permission, null);
  return { principal, paths: listPaths(role, permission, principal, null), smallestRole };
}

/**
 * A project key holds a role in its own project only, and only a role that service accounts can have. No role helps a
 * key that has expired or is limited to other endpoints.
 */
function explainProjectKey(
  { graph, runtime }: ExplanationContext,
  { permission, projectId: askedProjectId }: PermissionQuestion,
  { id, name, projectId, serviceAccount, expiresAtMs, scope }: ProjectKeyRecord,
): Explanation {
  const principal = { type: "project_key" as const, id, name };
  const isElsewhere = askedProjectId !== null && askedProjectId !== projectId;
  if (
    isElsewhere ||
    isExpired({ expiresAtMs }, runtime.clock.nowMs()) ||
    !isPermissionInScope(scope, permission)
  )
    return { principal, paths: [], smallestRole: null };
  const findRoleByWord = (word: string) => graph.findRole(toProjectRoleId(word));
  const role = findRoleByWord(serviceAccount?.role ?? "member");
  const possible = ["member", "owner"].flatMap((word) => findRoleByWord(word) ?? []);
  const smallestRole = findSmallestRoleWith(possible, new Set(role?.permissions), permission, projectId);
  return { principal, paths: listPaths(role, permission, principal, projectId), smallestRole };
}

function listPaths(
  role: Role | undefined,
  permission: Permission,
  heldBy: Path["heldBy"],
  projectId: string | null,
): Path[] {
  return role?.permissions.includes(permission) ? [{ role, heldBy, projectId }] : [];
}
