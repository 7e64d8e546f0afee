import type { Permission } from "@/lib/contract/access/permissions";
import { toProjectRoleId } from "@/lib/contract/access/role-words";
import { isPermissionInScope } from "../access/authorize";
import type { ClockAndRandom } from "../clock";
import { isExpired, type KeyCache } from "../keys/key-cache";
import type { GroupCache } from "../people/groups";
import type { UserCache } from "../people/members";
import type { ProjectCache } from "../projects/projects";
import type { AccessGraph, HeldRole, Role } from "../roles/access-graph";

export interface HolderContext {
  readonly graph: AccessGraph;
  readonly userCache: UserCache;
  readonly groupCache: GroupCache;
  readonly keyCache: KeyCache;
  readonly projectCache: Pick<ProjectCache, "find">;
  readonly runtime: Pick<ClockAndRandom, "clock">;
}

/** One way in which somebody holds a permission. */
interface PermissionHolder {
  /** Names the holder, the role, its place and the group. */
  readonly id: string;
  readonly holder: {
    readonly type: "user" | "group" | "admin_key" | "project_key";
    readonly id: string;
    readonly name: string;
  };
  readonly role: Role;
  /** The group by which a member holds it; null for what is held directly. */
  readonly through: { readonly id: string; readonly name: string } | null;
  /** Null for the organization, which counts in every project. */
  readonly projectId: string | null;
}

interface Question {
  readonly permission: Permission;
  /** Only who holds it in this project, also by a role in the organization; undefined for anywhere. */
  readonly projectId: string | undefined;
}

/** Members first, then groups, admin keys and project keys; oldest first. */
export function listPermissionHolders(context: HolderContext, question: Question): PermissionHolder[] {
  return [
    ...context.userCache
      .list()
      .flatMap((user) => toHolders(context, question, "user", user, context.graph.listUserRoles(user.id))),
    ...context.groupCache
      .list()
      .flatMap((group) => toHolders(context, question, "group", group, context.graph.directRoles(group))),
    ...listKeyHolders(context, question),
  ];
}

function toHolders(
  { groupCache }: HolderContext,
  { permission, projectId: asked }: Question,
  type: "user" | "group",
  { id, name }: { readonly id: string; readonly name: string },
  held: readonly HeldRole[],
): PermissionHolder[] {
  return held.flatMap(({ role, assignment: { projectId, principal } }) => {
    const isElsewhere = asked !== undefined && projectId !== null && projectId !== asked;
    if (isElsewhere || !role.permissions.includes(permission)) return [];
    const isDirect = principal.id === id;
    const group = { id: principal.id, name: groupCache.find(principal.id)?.name ?? principal.id };
    return describeHolder({ type, id, name }, role, projectId, isDirect ? null : group);
  });
}

function listKeyHolders(
  { graph, keyCache, projectCache, runtime }: HolderContext,
  { permission, projectId: asked }: Question,
): PermissionHolder[] {
  const nowMs = runtime.clock.nowMs();
  const active = keyCache.list().filter(({ key }) => !isExpired(key, nowMs));
  const adminKeys = active.flatMap((one) => (one.kind === "admin_key" ? [one.key] : []));
  const projectKeys = active.flatMap((one) => (one.kind === "project_key" ? [one.key] : []));
  const isHeld = (role: Role | undefined) => role?.permissions.includes(permission);
  return [
    ...adminKeys.flatMap(({ id, name, roleId }) => {
      const role = graph.findRole(roleId);
      return role && isHeld(role) ? describeHolder({ type: "admin_key", id, name }, role, null) : [];
    }),
    ...projectKeys.flatMap(({ id, name, projectId, serviceAccount, scope }) => {
      if (asked !== undefined && projectId !== asked) return [];
      const role = graph.findRole(toProjectRoleId(serviceAccount?.role ?? "member"));
      const isOpen = projectCache.find(projectId)?.archivedAtMs === null;
      if (!role || !isHeld(role) || !isOpen || !isPermissionInScope(scope, permission)) return [];
      return describeHolder({ type: "project_key", id, name }, role, projectId);
    }),
  ];
}

function describeHolder(
  holder: PermissionHolder["holder"],
  role: Role,
  projectId: string | null,
  through: PermissionHolder["through"] = null,
): PermissionHolder[] {
  const id = [holder.id, role.id, projectId ?? "organization", through?.id ?? "direct"].join(":");
  return [{ id, holder, role, through, projectId }];
}
