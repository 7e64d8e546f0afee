import { predefinedRoles } from "@/lib/contract/access/predefined-roles";
import { groupBy } from "../lists/group-by";
import type { Principal, RoleAssignment, RoleRecord } from "./role-store";

/** A role of either kind. A predefined one has no time of creation. */
export type Role = Omit<RoleRecord, "createdAtMs"> & { readonly createdAtMs: number | null };

/** Rows as the stores list them, without predefined roles. */
export interface AccessRows {
  readonly roles: readonly RoleRecord[];
  readonly assignments: readonly RoleAssignment[];
  readonly groupUsers: readonly { readonly groupId: string; readonly userId: string }[];
}

/** Roles, role assignments and group memberships. */
export class AccessRecords {
  readonly #roles = new Map<string, Role>();
  /** Keyed by the id of the member or group. The lists are replaced, never mutated, since copies share them. */
  readonly #assignments = new Map<string, readonly RoleAssignment[]>();
  readonly #groupsByUser = new Map<string, readonly string[]>();

  constructor({ roles, assignments, groupUsers }: AccessRows) {
    for (const role of predefinedRoles)
      this.#roles.set(role.id, { ...role, projectId: null, createdAtMs: null });
    for (const role of roles) this.#roles.set(role.id, role);
    for (const [id, principalAssignments] of groupBy(assignments, ({ principal }) => principal.id)) {
      this.putAssignments(id, principalAssignments);
    }
    for (const { groupId, userId } of groupUsers) this.addToGroup(groupId, userId);
  }

  copy(): AccessRecords {
    const copy = new AccessRecords({ roles: [], assignments: [], groupUsers: [] });
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
