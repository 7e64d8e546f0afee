import type { Transaction } from "../changes/transaction";
import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { listById } from "../database/list-by-id";
import type { Tables } from "../database/schema";
import type { PagedList } from "../lists/paged-list";

/** A member of the organization. */
export interface UserRecord {
  readonly id: string;
  /** The address in lower case, which no other user has. */
  readonly email: string;
  readonly name: string;
  readonly developerPersona: string | null;
  readonly technicalLevel: string | null;
  readonly createdAtMs: number;
}

export function createUserStore(reads: Reads) {
  return {
    /** The members who were not removed, oldest first. */
    async list(): Promise<UserRecord[]> {
      const rows = await members(reads).orderBy("id").execute();
      return rows.map(toRecord);
    },
    /** Null for a removed member and for an unknown id. */
    async find(id: string): Promise<UserRecord | null> {
      const row = await members(reads).where("id", "=", id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    /** The same list, by pages: of these addresses, or of all. */
    pages(emails: readonly string[] | undefined): PagedList<UserRecord> {
      const query = emails ? members(reads).where("email", "in", emails) : members(reads);
      return listById(query, { id: "id", defaultOrder: "asc" }, toRecord);
    },
    async insert(transaction: Transaction, user: UserRecord): Promise<void> {
      await within(transaction)
        .insertInto("users")
        .values({ ...toRow(user), removed_at_ms: null })
        .execute();
    },
    async update(transaction: Transaction, user: UserRecord): Promise<void> {
      await within(transaction).updateTable("users").set(toRow(user)).where("id", "=", user.id).execute();
    },
    /** Ends a member's roles, groups and sessions. The name is kept for past calls and events. */
    async remove(transaction: Transaction, id: string, atMs: number): Promise<void> {
      const queries = within(transaction);
      await queries.updateTable("users").set({ removed_at_ms: atMs }).where("id", "=", id).execute();
      for (const table of memberTables) await queries.deleteFrom(table).where("user_id", "=", id).execute();
      // Nobody else could end the sharing.
      await queries.updateTable("conversations").set({ is_shared: 0 }).where("owner_id", "=", id).execute();
      await queries.deleteFrom("sign_in_users").where("id", "=", id).execute();
    },
  };
}

export type UserStore = ReturnType<typeof createUserStore>;

/** Deleted together with a member. */
const memberTables = [
  "role_assignments",
  "group_users",
  "sessions",
  "password_resets",
  "sign_in_devices",
  "sign_in_identities",
  "used_sign_in_codes",
] as const;

function members(reads: Reads) {
  return reads.selectFrom("users").selectAll().where("removed_at_ms", "is", null);
}

function toRow({ id, email, name, developerPersona, technicalLevel, createdAtMs }: UserRecord) {
  const notes = { developer_persona: developerPersona, technical_level: technicalLevel };
  return { id, email, name, ...notes, created_at_ms: createdAtMs };
}

function toRecord(row: Tables["users"]): UserRecord {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    developerPersona: row.developer_persona,
    technicalLevel: row.technical_level,
    createdAtMs: row.created_at_ms,
  };
}
