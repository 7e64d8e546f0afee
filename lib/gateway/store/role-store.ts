import type { Permission } from "@/lib/contract/permissions";
import type { RoleRecord, RoleStore } from "../roles/role-store";
import type { Database } from "./database";
import type { Tables } from "./schema";

export function createRoleStore(database: Database): RoleStore {
  return {
    async list(resourceType) {
      const rows = await database
        .selectFrom("roles")
        .selectAll()
        .where("resource_type", "=", resourceType)
        .orderBy("id")
        .execute();
      return rows.map(toRecord);
    },
    async find(id) {
      const row = await database.selectFrom("roles").selectAll().where("id", "=", id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    async insert(role) {
      await database.insertInto("roles").values(toRow(role)).execute();
    },
    async update(role) {
      await database.updateTable("roles").set(toRow(role)).where("id", "=", role.id).execute();
    },
    async delete(id) {
      await database.deleteFrom("roles").where("id", "=", id).execute();
    },
    async isHeld(id) {
      const holder = await database
        .selectFrom("admin_api_keys")
        .select("id")
        .where("role_id", "=", id)
        .where("revoked_at_ms", "is", null)
        .executeTakeFirst();
      return holder !== undefined;
    },
    atomically: (work) => database.transaction().execute((transaction) => work(createRoleStore(transaction))),
  };
}

function toRow({ id, name, description, permissions, resourceType, createdAtMs }: RoleRecord) {
  const row = { id, name, description, resource_type: resourceType, created_at_ms: createdAtMs };
  return { ...row, permissions: JSON.stringify(permissions) };
}

function toRecord(row: Tables["roles"]): RoleRecord {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    permissions: JSON.parse(row.permissions) as Permission[],
    resourceType: row.resource_type,
    createdAtMs: row.created_at_ms,
  };
}
