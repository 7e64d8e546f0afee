import type { Permission } from "@/lib/contract/access/permissions";
import type { ResourceType } from "@/lib/contract/access/predefined-roles";
import type { Transaction } from "../changes/transaction";
import type { PagedList } from "../lists/paged-list";

/** A custom role. Predefined roles are not stored. */
export interface RoleRecord {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly permissions: readonly Permission[];
  readonly resourceType: ResourceType;
  /** The project that owns the role; null for the organization's. */
  readonly projectId: string | null;
  readonly createdAtMs: number;
}

/** Who can hold roles. */
export interface Principal {
  readonly kind: "user" | "group";
  readonly id: string;
}

/** A role held in a project or, with null, in the organization. */
export interface RoleAssignment {
  readonly principal: Principal;
  readonly roleId: string;
  readonly projectId: string | null;
  readonly createdAtMs: number;
}

export interface RoleStore {
  /** All custom roles, oldest first. */
  list(): Promise<RoleRecord[]>;
  /** Null if there is none. */
  find(id: string): Promise<RoleRecord | null>;
  insert(transaction: Transaction, role: RoleRecord): Promise<void>;
  update(transaction: Transaction, role: RoleRecord): Promise<void>;
  delete(transaction: Transaction, id: string): Promise<void>;
  /** Whether an active key holds the role. */
  isHeldByKey(id: string): Promise<boolean>;
  /** Whether a pending invitation grants the role. */
  isInPendingInvite(id: string, nowMs: number): Promise<boolean>;
  /** Oldest first. */
  listAssignments(): Promise<RoleAssignment[]>;
  /** The direct assignments of a member or group, oldest first. */
  listPrincipalAssignments(principalId: string): Promise<RoleAssignment[]>;
  /** Assignments of one role, or of all, each with an id of its own. */
  assignmentPages(roleId: string | undefined): PagedList<RoleAssignment & { readonly id: string }>;
  /** Members, or groups, with a direct role in a project, oldest first. */
  holderPages(projectId: string, kind: Principal["kind"]): PagedList<{ readonly id: string }>;
  /** Replaces all assignments of a principal in `projectId` (null: the organization). */
  replaceAssignments(
    transaction: Transaction,
    principal: Principal,
    projectId: string | null,
    assignments: readonly RoleAssignment[],
  ): Promise<void>;
}
