import { type Permission, permissions } from "@/lib/contract/access/permissions";
import { predefinedRoles } from "@/lib/contract/access/predefined-roles";
import type { TableCache } from "../changes/table-cache";
import { groupBy } from "../lists/group-by";
import type { Principal, RoleAssignment, RoleRecord, RoleStore } from "./role-store.sql";

/** A role of either kind. A predefined one has no time of creation. */
export type Role = Omit<RoleRecord, "createdAtMs"> & { readonly createdAtMs: number | null };

/** Rows as the stores list them, without predefined roles. */
export interface AccessRows {
  readonly roles: readonly RoleRecord[];
  readonly assignments: readonly RoleAssignment[];
  readonly groupUsers: readonly { readonly groupId: string; readonly userId: string }[];
  /** Members who hold their roles, and may do nothing. */
  readonly deactivated?: readonly string[];
}

/** Roles, role assignments and group memberships. */
export class AccessRecords {
  readonly #roles = new Map<string, Role>();
  /** Keyed by the id of the member or group. The lists are replaced, never mutated, since copies share them. */
  readonly #assignments = new Map<string, readonly RoleAssignment[]>();
  readonly #groupsByUser = new Map<string, readonly string[]>();
  readonly #deactivated: Set<string>;

  constructor({ roles, assignments, groupUsers, deactivated }: AccessRows) {
    this.#deactivated = new Set(deactivated);
    for (const role of predefinedRoles)
      this.#roles.set(role.id, { ...role, projectId: null, createdAtMs: null });
    for (const role of roles) this.#roles.set(role.id, role);
    for (const [id, principalAssignments] of groupBy(assignments, ({ principal }) => principal.id)) {
      this.putAssignments(id, principalAssignments);
    }
    for (const { groupId, userId } of groupUsers) this.addToGroup(groupId, userId);
  }

  copy(): AccessRecords {
    const deactivated = [...this.#deactivated];
    const copy = new AccessRecords({ roles: [], assignments: [], groupUsers: [], deactivated });
    for (const [id, role] of this.#roles) copy.#roles.set(id, role);
    for (const [id, assignments] of this.#assignments) copy.#assignments.set(id, assignments);
    for (const [id, groups] of this.#groupsByUser) copy.#groupsByUser.set(id, groups);
    return copy;
  }

  findRole(id: string): Role | undefined {
    return this.#roles.get(id);
  }

  /** Predefined ones first, then the others, oldest first. */
  roles(): Role[] {
    return [...this.#roles.values()];
  }

  assignments(): RoleAssignment[] {
    return [...this.#assignments.values()].flat();
  }

  /** The direct assignments of a member or group, oldest first. */
  listAssignments(id: string): readonly RoleAssignment[] {
    return this.#assignments.get(id) ?? [];
  }

  listGroups(userId: string): readonly string[] {
    return this.#groupsByUser.get(userId) ?? [];
  }

  isDeactivated(userId: string): boolean {
    return this.#deactivated.has(userId);
  }

  setDeactivated(userId: string, isDeactivated: boolean): void {
    if (isDeactivated) this.#deactivated.add(userId);
    else this.#deactivated.delete(userId);
  }

  /** Every member who holds a role or is in a group. */
  userIds(): string[] {
    const direct = this.assignments().flatMap(({ principal }) =>
      principal.kind === "user" ? [principal.id] : [],
    );
    return [...new Set([...direct, ...this.#groupsByUser.keys()])];
  }

  putRole(role: Role): void {
    this.#roles.set(role.id, role);
  }

  removeRole(id: string): void {
    this.#roles.delete(id);
  }

  /** Replaces all direct assignments of a member or group. */
  putAssignments(id: string, assignments: readonly RoleAssignment[]): void {
    if (assignments.length > 0) this.#assignments.set(id, assignments);
    else this.#assignments.delete(id);
  }

  /** Replaces all assignments of a principal in `projectId` (null: the organization). */
  replaceAssignments(
    { id }: Principal,
    projectId: string | null,
    assignments: readonly RoleAssignment[],
  ): void {
    const otherAssignments = this.listAssignments(id).filter(
      (assignment) => assignment.projectId !== projectId,
    );
    this.putAssignments(id, [...otherAssignments, ...assignments]);
  }

  /** Replaces the groups of a member. */
  putGroups(userId: string, groups: readonly string[]): void {
    if (groups.length > 0) this.#groupsByUser.set(userId, groups);
    else this.#groupsByUser.delete(userId);
  }

  addToGroup(groupId: string, userId: string): void {
    this.putGroups(userId, [...this.listGroups(userId), groupId]);
  }

  removeFromGroup(groupId: string, userId: string): void {
    const otherGroups = this.listGroups(userId).filter((id) => id !== groupId);
    this.putGroups(userId, otherGroups);
  }

  /** Removes a member or a group with all of its assignments. */
  removePrincipal({ id }: Principal): void {
    this.#assignments.delete(id);
    this.#groupsByUser.delete(id);
    for (const [userId, groups] of this.#groupsByUser) {
      if (groups.includes(id)) this.removeFromGroup(id, userId);
    }
  }
}

/** The subject of a permission check: a member, or a single role, which a key holds. */
export interface Holder {
  readonly kind: "user" | "role";
  readonly id: string;
}

/** A role held, with its assignment: directly, or through a group. */
export interface HeldRole {
  readonly role: Role;
  readonly assignment: RoleAssignment;
}

/** Permissions by project. Those under null are held in the organization, and so in every project without an entry. */
type Resolved = ReadonlyMap<string | null, ReadonlySet<Permission>>;

const EVERYTHING = permissions.length;
const nothing: ReadonlySet<Permission> = new Set();

const EMPTY: AccessRows = { roles: [], assignments: [], groupUsers: [] };

interface AccessStores {
  readonly roles: Pick<RoleStore, "list" | "find" | "listAssignments" | "listPrincipalAssignments">;
  readonly groups: {
    listUsers(): Promise<{ groupId: string; userId: string }[]>;
    listUserGroups(userId: string): Promise<string[]>;
  };
  readonly users: {
    listDeactivated(): Promise<string[]>;
    find(id: string): Promise<{ readonly deactivatedAtMs: number | null } | null>;
  };
}

/** Answers who may do what, from memory: it combines roles, role assignments and group memberships. */
export class AccessGraph {
  #records: AccessRecords;
  /** Keyed by the holder's id. */
  readonly #resolved = new Map<string, Resolved>();

  constructor(rows: AccessRows = EMPTY) {
    this.#records = new AccessRecords(rows);
  }

  following({ roles, groups, users }: AccessStores): TableCache {
    const update = (apply: (records: AccessRecords) => void) => {
      apply(this.#records);
      this.#resolved.clear();
    };
    return {
      load: async () => {
        const [assignments, groupUsers] = [await roles.listAssignments(), await groups.listUsers()];
        const deactivated = await users.listDeactivated();
        this.#records = new AccessRecords({
          roles: await roles.list(),
          assignments,
          groupUsers,
          deactivated,
        });
        this.#resolved.clear();
      },
      reread: {
        roles: async ({ id }) => {
          const role = await roles.find(id);
          update((records) => (role ? records.putRole(role) : records.removeRole(id)));
        },
        role_assignments: async ({ subjectId: id }) => {
          if (id === null) return;
          const assignments = await roles.listPrincipalAssignments(id);
          update((records) => records.putAssignments(id, assignments));
        },
        group_users: async ({ subjectId: id }) => {
          if (id === null) return;
          const groupIds = await groups.listUserGroups(id);
          update((records) => records.putGroups(id, groupIds));
        },
        users: async ({ id }) => {
          const isDeactivated = ((await users.find(id))?.deactivatedAtMs ?? null) !== null;
          update((records) => records.setDeactivated(id, isDeactivated));
        },
      },
    };
  }

  /** The graph with a change applied to its records; this graph stays unchanged. */
  after(apply: (records: AccessRecords) => void): AccessGraph {
    const graphAfter = new AccessGraph();
    graphAfter.#records = this.#records.copy();
    apply(graphAfter.#records);
    return graphAfter;
  }

  findRole(id: string): Role | undefined {
    return this.#records.findRole(id);
  }

  /** Predefined ones first, then the others, oldest first. */
  roles(): Role[] {
    return this.#records.roles();
  }

  /**
   * The roles that a member or group holds directly, oldest assignment first; in all places unless `projectId` is
   * given.
   */
  directRoles({ id }: Pick<Principal, "id">, projectId?: string | null): HeldRole[] {
    return this.#records.listAssignments(id).flatMap((assignment) => {
      const role = this.#records.findRole(assignment.roleId);
      const isAsked = projectId === undefined || assignment.projectId === projectId;
      return role && isAsked ? [{ role, assignment }] : [];
    });
  }

  /** The roles that a member holds, direct ones first, then those of groups. */
  listUserRoles(userId: string, projectId?: string | null): HeldRole[] {
    return [userId, ...this.listGroups(userId)].flatMap((id) => this.directRoles({ id }, projectId));
  }

  listGroups(userId: string): readonly string[] {
    return this.#records.listGroups(userId);
  }

  assignments(): RoleAssignment[] {
    return this.#records.assignments();
  }

  /** Every member who holds a role or is in a group. */
  userIds(): string[] {
    return this.#records.userIds();
  }

  /** A holder's permissions in a project, including those of the organization; with null, in the organization only. */
  findPermissions(holder: Holder, projectId: string | null): ReadonlySet<Permission> {
    const resolved = this.#resolveCached(holder);
    return resolved.get(projectId) ?? resolved.get(null) ?? nothing;
  }

  /** Lists the permissions in each project in which a role is held, including those of the organization's roles. */
  listProjectPermissions(holder: Holder): [string, ReadonlySet<Permission>][] {
    return [...this.#resolveCached(holder)].flatMap(([projectId, granted]) =>
      projectId === null ? [] : [[projectId, granted]],
    );
  }

  /** Whether a permission is held in the organization or in at least one project. */
  holdsAnywhere(holder: Holder, permission: Permission): boolean {
    return [...this.#resolveCached(holder).values()].some((granted) => granted.has(permission));
  }

  isOwner(holder: Holder): boolean {
    return this.findPermissions(holder, null).size === EVERYTHING;
  }

  /** Whether at least one member is an owner. The permission that the fewest roles have rules out most members. */
  hasOwner(): boolean {
    const rarest = new Set(this.#findRarestRoles().map(({ id }) => id));
    const holdsOne = (id: string) =>
      this.#records
        .listAssignments(id)
        .some(({ roleId, projectId }) => projectId === null && rarest.has(roleId));
    return this.userIds().some(
      (id) => (holdsOne(id) || this.listGroups(id).some(holdsOne)) && this.isOwner({ kind: "user", id }),
    );
  }

  #resolveCached(holder: Holder): Resolved {
    const cached = this.#resolved.get(holder.id);
    if (cached) return cached;
    const resolved = this.#resolve(holder);
    this.#resolved.set(holder.id, resolved);
    return resolved;
  }

  #resolve({ kind, id }: Holder): Resolved {
    if (kind === "role") return new Map([[null, new Set(this.findRole(id)?.permissions)]]);
    if (this.#records.isDeactivated(id)) return new Map([[null, nothing]]);
    const rolesByProject = groupBy(this.listUserRoles(id), ({ assignment }) => assignment.projectId);
    const permissionsIn = (projectId: string | null) =>
      (rolesByProject.get(projectId) ?? []).flatMap(({ role }) => role.permissions);
    const everywhere = permissionsIn(null);
    const projects = [...rolesByProject.keys()].map(
      (projectId) => [projectId, new Set([...everywhere, ...permissionsIn(projectId)])] as const,
    );
    return new Map([...projects, [null, new Set(everywhere)]]);
  }

  #findRarestRoles(): Role[] {
    const allRoles = this.roles();
    return permissions
      .map((permission) => allRoles.filter((role) => role.permissions.includes(permission)))
      .reduce((fewest, roles) => (roles.length < fewest.length ? roles : fewest));
  }
}
