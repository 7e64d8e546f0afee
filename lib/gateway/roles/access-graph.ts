import { type Permission, permissions } from "@/lib/contract/permissions";
import { predefinedRoles } from "@/lib/contract/predefined-roles";
import { groupBy } from "../lists/group-by";
import type { Principal, RoleAssignment, RoleRecord } from "./role-store";

/** A role of either kind. A predefined one has no time of creation. */
export type Role = Omit<RoleRecord, "createdAtMs"> & { readonly createdAtMs: number | null };

/** Whose permissions are resolved: a member, or whoever holds one role alone, as a key does. */
export interface Holder {
  readonly kind: "user" | "role";
  readonly id: string;
}

/** A role somebody holds, with the assignment that gives it: their own, or a group's. */
export interface HeldRole {
  readonly role: Role;
  readonly assignment: RoleAssignment;
}

export interface AccessRecords {
  readonly roles: readonly RoleRecord[];
  readonly assignments: readonly RoleAssignment[];
  readonly groupUsers: readonly { readonly groupId: string; readonly userId: string }[];
}

/** By project; under null what is held in the organization, and so in every other project. */
type Resolved = ReadonlyMap<string | null, ReadonlySet<Permission>>;

const EVERYTHING = permissions.length;
const nothing: ReadonlySet<Permission> = new Set();

/**
 * Roles, who holds them, and who is in which group: all that permissions follow from, in memory. Mirrors the stores.
 * A copy stands for what would be, so that a change is judged and shown before it is made.
 */
export class AccessGraph {
  readonly #roles = new Map<string, Role>();
  /** By the id of the member or group. The lists are replaced, never changed: copies share them. */
  readonly #assignments = new Map<string, readonly RoleAssignment[]>();
  readonly #groupsOfUser = new Map<string, readonly string[]>();
  readonly #resolved = new Map<string, Resolved>();

  constructor(records: AccessRecords = { roles: [], assignments: [], groupUsers: [] }) {
    this.load(records);
  }

  /** Puts these in the place of all there was. */
  load({ roles, assignments, groupUsers }: AccessRecords): void {
    for (const known of [this.#roles, this.#assignments, this.#groupsOfUser]) known.clear();
    for (const role of predefinedRoles)
      this.#roles.set(role.id, { ...role, projectId: null, createdAtMs: null });
    for (const role of roles) this.#roles.set(role.id, role);
    for (const [id, held] of groupBy(assignments, ({ principal }) => principal.id)) this.putHeld(id, held);
    for (const { groupId, userId } of groupUsers) this.addToGroup(groupId, userId);
    this.#resolved.clear();
  }

  copy(): AccessGraph {
    const copy = new AccessGraph();
    for (const [id, role] of this.#roles) copy.#roles.set(id, role);
    for (const [id, assignments] of this.#assignments) copy.#assignments.set(id, assignments);
    for (const [id, groups] of this.#groupsOfUser) copy.#groupsOfUser.set(id, groups);
    return copy;
  }

  findRole(id: string): Role | undefined {
    return this.#roles.get(id);
  }

  /** Predefined ones first, then the others, oldest first. */
  roles(): Role[] {
    return [...this.#roles.values()];
  }

  /** The roles a member or group holds itself, oldest assignment first; of every project and the organization unless one is named. */
  directRoles({ id }: Pick<Principal, "id">, projectId?: string | null): HeldRole[] {
    const assignments = this.#assignments.get(id) ?? [];
    return assignments.flatMap((assignment) => {
      const role = this.#roles.get(assignment.roleId);
      const isAsked = projectId === undefined || assignment.projectId === projectId;
      return role && isAsked ? [{ role, assignment }] : [];
    });
  }

  /** The roles a member holds, directly first, then through groups. */
  rolesOfUser(userId: string, projectId?: string | null): HeldRole[] {
    return [userId, ...this.groupsOf(userId)].flatMap((id) => this.directRoles({ id }, projectId));
  }

  groupsOf(userId: string): readonly string[] {
    return this.#groupsOfUser.get(userId) ?? [];
  }

  assignments(): RoleAssignment[] {
    return [...this.#assignments.values()].flat();
  }

  /** Every member who holds a role or is in a group. */
  userIds(): string[] {
    const direct = this.assignments().flatMap(({ principal }) =>
      principal.kind === "user" ? [principal.id] : [],
    );
    return [...new Set([...direct, ...this.#groupsOfUser.keys()])];
  }

  /** What a holder may do in a project, the organization's roles included; with null, in the organization alone. */
  permissionsOf(holder: Holder, projectId: string | null): ReadonlySet<Permission> {
    const resolved = this.#resolvedOf(holder);
    return resolved.get(projectId) ?? resolved.get(null) ?? nothing;
  }

  /** By project, for each in which a role is held; the organization's roles included. */
  projectPermissionsOf(holder: Holder): [string, ReadonlySet<Permission>][] {
    return [...this.#resolvedOf(holder)].flatMap(([projectId, held]) =>
      projectId === null ? [] : [[projectId, held]],
    );
  }

  /** Whether a permission is held in the organization or in at least one project. */
  holdsAnywhere(holder: Holder, permission: Permission): boolean {
    return [...this.#resolvedOf(holder).values()].some((held) => held.has(permission));
  }

  isOwner(holder: Holder): boolean {
    return this.permissionsOf(holder, null).size === EVERYTHING;
  }

  /** Whether at least one member is an owner. Most are ruled out by the permission that the fewest roles hold. */
  hasOwner(): boolean {
    const rarest = new Set(this.#rolesOfRarestPermission().map(({ id }) => id));
    const holdsOne = (id: string) =>
      this.#assignments.get(id)?.some(({ roleId, projectId }) => projectId === null && rarest.has(roleId));
    return this.userIds().some(
      (id) => (holdsOne(id) || this.groupsOf(id).some(holdsOne)) && this.isOwner({ kind: "user", id }),
    );
  }

  putRole(role: Role): void {
    this.#roles.set(role.id, role);
    this.#resolved.clear();
  }

  removeRole(id: string): void {
    this.#roles.delete(id);
    this.#resolved.clear();
  }

  /** Puts `assignments` in the place of all that a member or group holds itself. */
  putHeld(id: string, assignments: readonly RoleAssignment[]): void {
    if (assignments.length > 0) this.#assignments.set(id, assignments);
    else this.#assignments.delete(id);
    this.#resolved.clear();
  }

  /** The groups a member is in. */
  putGroupsOf(userId: string, groups: readonly string[]): void {
    if (groups.length > 0) this.#groupsOfUser.set(userId, groups);
    else this.#groupsOfUser.delete(userId);
    this.#resolved.clear();
  }

  /** Puts `assignments` in the place of all that a principal holds in `projectId` (null: the organization). */
  replaceAssignments(
    { id }: Principal,
    projectId: string | null,
    assignments: readonly RoleAssignment[],
  ): void {
    const others = (this.#assignments.get(id) ?? []).filter(
      (assignment) => assignment.projectId !== projectId,
    );
    this.putHeld(id, [...others, ...assignments]);
  }

  addToGroup(groupId: string, userId: string): void {
    this.putGroupsOf(userId, [...this.groupsOf(userId), groupId]);
  }

  removeFromGroup(groupId: string, userId: string): void {
    const others = this.groupsOf(userId).filter((id) => id !== groupId);
    this.putGroupsOf(userId, others);
  }

  /** Forgets a member or a group, with all it held. */
  removePrincipal({ id }: Principal): void {
    this.#assignments.delete(id);
    this.#groupsOfUser.delete(id);
    for (const [userId, groups] of this.#groupsOfUser) {
      if (groups.includes(id)) this.removeFromGroup(id, userId);
    }
    this.#resolved.clear();
  }

  #resolvedOf(holder: Holder): Resolved {
    const known = this.#resolved.get(holder.id);
    if (known) return known;
    const resolved = this.#resolve(holder);
    this.#resolved.set(holder.id, resolved);
    return resolved;
  }

  #resolve({ kind, id }: Holder): Resolved {
    if (kind === "role") return new Map([[null, new Set(this.#roles.get(id)?.permissions)]]);
    const held = groupBy(this.rolesOfUser(id), ({ assignment }) => assignment.projectId);
    const permissionsIn = (projectId: string | null) =>
      (held.get(projectId) ?? []).flatMap(({ role }) => role.permissions);
    const everywhere = permissionsIn(null);
    const projects = [...held.keys()].map(
      (projectId) => [projectId, new Set([...everywhere, ...permissionsIn(projectId)])] as const,
    );
    return new Map([...projects, [null, new Set(everywhere)]]);
  }

  #rolesOfRarestPermission(): Role[] {
    const all = this.roles();
    return permissions
      .map((permission) => all.filter((role) => role.permissions.includes(permission)))
      .reduce((fewest, roles) => (roles.length < fewest.length ? roles : fewest));
  }
}
