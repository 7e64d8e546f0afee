import { type RawBuilder, type SqlBool, sql } from "kysely";
import { isPermission } from "@/lib/contract/access/permissions";
import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { listById } from "../database/list-by-id";
import type { Tables } from "../database/schema";
import type { Principal, RoleAssignment, RoleRecord, RoleStore } from "./role-store";

export function createSqliteRoleStore(reads: Reads): RoleStore {
  return {
    async list() {
      const rows = await reads.selectFrom("roles").selectAll().orderBy("id").execute();
      return rows.map(toRecord);
    },
    async find(id) {
      const row = await reads.selectFrom("roles").selectAll().where("id", "=", id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    async insert(transaction, role) {
      await within(transaction).insertInto("roles").values(toRow(role)).execute();
    },
    async update(transaction, role) {
      await within(transaction).updateTable("roles").set(toRow(role)).where("id", "=", role.id).execute();
    },
    async delete(transaction, id) {
      await within(transaction).deleteFrom("roles").where("id", "=", id).execute();
    },
    async isHeldByKey(id) {
      const holder = await reads
        .selectFrom("admin_api_keys")
        .select("id")
        .where("role_id", "=", id)
        .where("revoked_at_ms", "is", null)
        .executeTakeFirst();
      return holder !== undefined;
    },
    async isInPendingInvite(id, nowMs) {
      const invite = await reads
        .selectFrom("invites")
        .select("id")
        .where("accepted_at_ms", "is", null)
        .where("expires_at_ms", ">", nowMs)
        .where(
          sql<boolean>`(role_id = ${id} OR EXISTS (
            SELECT 1 FROM json_each(projects) WHERE json_extract(value, '$.roleId') = ${id}))`,
        )
        .executeTakeFirst();
      return invite !== undefined;
    },
    ...holderLists(reads),
    async replaceAssignments(transaction, principal, projectId, assignments) {
      const queries = within(transaction);
      await queries
        .deleteFrom("role_assignments")
        .where(principal.kind === "user" ? "user_id" : "group_id", "=", principal.id)
        .where("project_id", "is", projectId)
        .execute();
      if (assignments.length === 0) return;
      await queries.insertInto("role_assignments").values(assignments.map(toAssignmentRow)).execute();
    },
  };
}

type HolderLists = "listAssignments" | "listPrincipalAssignments" | "assignmentPages" | "holderPages";

function holderLists(reads: Reads): Pick<RoleStore, HolderLists> {
  return {
    async listAssignments() {
      const rows = await reads
        .selectFrom("role_assignments")
        .selectAll()
        .orderBy("created_at_ms")
        .orderBy(AS_GIVEN)
        .execute();
      return rows.map(toAssignment);
    },
    async listPrincipalAssignments(principalId) {
      const rows = await reads
        .selectFrom("role_assignments")
        .selectAll()
        .where((row) => row.or([row("user_id", "=", principalId), row("group_id", "=", principalId)]))
        .orderBy("created_at_ms")
        .orderBy(AS_GIVEN)
        .execute();
      return rows.map(toAssignment);
    },
    assignmentPages(roleId) {
      let query = reads.selectFrom("role_assignments").selectAll();
      if (roleId !== undefined) query = query.where(matchesRole(ASSIGNMENT_ID_SQL, roleId));
      return listById(query, { id: ASSIGNMENT_ID_SQL, defaultOrder: "asc" }, (row) => {
        const assignment = toAssignment(row);
        return { ...assignment, id: assignmentId(row.role_id, row.project_id, assignment.principal.id) };
      });
    },
    holderPages(projectId, kind) {
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

/** Orders roles that were assigned in the same millisecond. */
const AS_GIVEN = sql.raw<number>("rowid");

/** A holder has a role at most once per place, so the three ids identify the assignment. */
function assignmentId(roleId: string, projectId: string | null, id: string): string {
  return [roleId, projectId ?? "organization", id].join(":");
}

/** `assignmentId` in SQL, in the form of its index. */
const ASSIGNMENT_ID_SQL = sql.raw<string>(
  "role_id || ':' || coalesce(project_id, 'organization') || ':' || coalesce(user_id, group_id)",
);

/** The assignments of one role: their ids begin with the role's. */
export function matchesRole(id: RawBuilder<string>, roleId: string) {
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
