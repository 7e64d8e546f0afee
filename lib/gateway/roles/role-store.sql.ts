import type { SqlBool } from "kysely";
import { isPermission, type Permission } from "@/lib/contract/access/permissions";
import type { ResourceType } from "@/lib/contract/access/predefined-roles";
import { noteAction, type Transaction, within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { dialectOf, type Fragment, sql } from "../database/fragment";
import { listById } from "../database/list-pages";
import type { Tables } from "../database/schema";
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

export function createRoleStore(reads: Reads) {
  return {
    /** All custom roles, oldest first. */
    async list(): Promise<RoleRecord[]> {
      const rows = await reads.selectFrom("roles").selectAll().orderBy("id").execute();
      return rows.map(toRecord);
    },
    /** Null if there is none. */
    async find(id: string): Promise<RoleRecord | null> {
      const row = await reads.selectFrom("roles").selectAll().where("id", "=", id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    async insert(transaction: Transaction, role: RoleRecord): Promise<void> {
      await within(transaction).insertInto("roles").values(toRow(role)).execute();
    },
    async update(transaction: Transaction, role: RoleRecord): Promise<void> {
      await within(transaction).updateTable("roles").set(toRow(role)).where("id", "=", role.id).execute();
    },
    async delete(transaction: Transaction, id: string): Promise<void> {
      await within(transaction).deleteFrom("roles").where("id", "=", id).execute();
    },
    /** Whether an active key holds the role. */
    async isHeldByKey(id: string): Promise<boolean> {
      const holder = await reads
        .selectFrom("admin_api_keys")
        .select("id")
        .where("role_id", "=", id)
        .where("revoked_at_ms", "is", null)
        .executeTakeFirst();
      return holder !== undefined;
    },
    /** Whether a pending invitation grants the role. */
    async isInPendingInvite(id: string, nowMs: number): Promise<boolean> {
      const { jsonElements, jsonText } = dialectOf(reads);
      const invite = await reads
        .selectFrom("invites")
        .select("id")
        .where("accepted_at_ms", "is", null)
        .where("expires_at_ms", ">", nowMs)
        .where(
          sql<boolean>`(role_id = ${id} OR EXISTS (
            SELECT 1 FROM ${jsonElements(sql`projects`)} WHERE ${jsonText(sql`value`, "roleId")} = ${id}))`,
        )
        .executeTakeFirst();
      return invite !== undefined;
    },
    noteView,
    ...holderLists(reads),
    /** Replaces all assignments of a principal in `projectId` (null: the organization). */
    async replaceAssignments(
      transaction: Transaction,
      principal: Principal,
      projectId: string | null,
      assignments: readonly RoleAssignment[],
    ): Promise<void> {
      await within(transaction)
        .deleteFrom("role_assignments")
        .where(principal.kind === "user" ? "user_id" : "group_id", "=", principal.id)
        .where("project_id", "is not distinct from", projectId)
        .execute();
      await insertAssignments(transaction, assignments);
    },
    insertAssignments,
  };
}

export type RoleStore = ReturnType<typeof createRoleStore>;

/** Records in the audit log that somebody looked at what the role, or its unsaved draft, allows. */
async function noteView(
  transaction: Transaction,
  { id, isDraft }: { readonly id: string; readonly isDraft: boolean },
): Promise<void> {
  await noteAction(transaction, {
    object: isDraft ? "role_draft_views" : "role_views",
    id,
    project_id: null,
  });
}

async function insertAssignments(
  transaction: Transaction,
  assignments: readonly RoleAssignment[],
): Promise<void> {
  if (assignments.length === 0) return;
  await within(transaction).insertInto("role_assignments").values(assignments.map(toAssignmentRow)).execute();
}

function holderLists(reads: Reads) {
  return {
    /** Oldest first. */
    async listAssignments(): Promise<RoleAssignment[]> {
      const rows = await reads
        .selectFrom("role_assignments")
        .selectAll()
        .orderBy("created_at_ms")
        .orderBy(dialectOf(reads).storedOrder)
        .execute();
      return rows.map(toAssignment);
    },
    /** The direct assignments of a member or group, oldest first. */
    async listPrincipalAssignments(principalId: string): Promise<RoleAssignment[]> {
      const rows = await reads
        .selectFrom("role_assignments")
        .selectAll()
        .where((row) => row.or([row("user_id", "=", principalId), row("group_id", "=", principalId)]))
        .orderBy("created_at_ms")
        .orderBy(dialectOf(reads).storedOrder)
        .execute();
      return rows.map(toAssignment);
    },
    /** Assignments of one role, or of all, each with an id of its own. */
    assignmentPages(roleId: string | undefined): PagedList<RoleAssignment & { readonly id: string }> {
      let query = reads.selectFrom("role_assignments").selectAll();
      if (roleId !== undefined) query = query.where(matchesRole(ASSIGNMENT_ID_SQL, roleId));
      return listById(query, { id: ASSIGNMENT_ID_SQL, defaultOrder: "asc" }, (row) => {
        const assignment = toAssignment(row);
        return { ...assignment, id: assignmentId(row.role_id, row.project_id, assignment.principal.id) };
      });
    },
    /** Members, or groups, with a direct role in a project, oldest first. */
    holderPages(projectId: string, kind: Principal["kind"]): PagedList<{ readonly id: string }> {
      const holder = kind === "user" ? ("user_id" as const) : ("group_id" as const);
      const query = reads
        .selectFrom("role_assignments")
        .select(sql<string>`${sql.ref(holder)}`.as("id"))
        .where("project_id", "=", projectId)
        .where(holder, "is not", null)
        .groupBy(holder);
      return listById(query, { id: holder, defaultOrder: "asc" }, (row) => row);
    },
  };
}

/** A holder has a role at most once per place, so the three ids identify the assignment. */
function assignmentId(roleId: string, projectId: string | null, id: string): string {
  return [roleId, projectId ?? "organization", id].join(":");
}

/** `assignmentId` in SQL, in the form of its index. */
const ASSIGNMENT_ID_SQL = sql.raw<string>(
  "role_id || ':' || coalesce(project_id, 'organization') || ':' || coalesce(user_id, group_id)",
);

/** The assignments of one role: their ids begin with the role's. */
export function matchesRole(id: Fragment<string>, roleId: string) {
  return sql<SqlBool>`${id} > ${`${roleId}:`} AND ${id} < ${`${roleId};`}`;
}

function toRow({ id, name, description, permissions, resourceType, projectId, createdAtMs }: RoleRecord) {
  const row = { id, name, description, resource_type: resourceType, project_id: projectId };
  return { ...row, created_at_ms: createdAtMs, permissions: JSON.stringify(permissions) };
}

function toRecord(row: Tables["roles"]): RoleRecord {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    permissions: (JSON.parse(row.permissions) as string[]).filter(isPermission),
    resourceType: row.resource_type,
    projectId: row.project_id,
    createdAtMs: row.created_at_ms,
  };
}

function toAssignmentRow({ principal, roleId, projectId, createdAtMs }: RoleAssignment) {
  return {
    user_id: principal.kind === "user" ? principal.id : null,
    group_id: principal.kind === "group" ? principal.id : null,
    role_id: roleId,
    project_id: projectId,
    created_at_ms: createdAtMs,
  };
}

function toAssignment(row: Tables["role_assignments"]): RoleAssignment {
  const principal: Principal =
    row.user_id === null ? { kind: "group", id: row.group_id as string } : { kind: "user", id: row.user_id };
  return {
    principal,
    roleId: row.role_id,
    projectId: row.project_id,
    createdAtMs: row.created_at_ms,
  };
}
