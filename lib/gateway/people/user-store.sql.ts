import { type Selectable, type SqlBool, sql } from "kysely";
import { type Transaction, within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { listById } from "../database/list-pages";
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
  /** Null for a member whom no directory keeps. */
  readonly directory: DirectoryIdentity | null;
  /** Since when the member can't sign in or do anything; null for an active one. */
  readonly deactivatedAtMs: number | null;
}

/** What a directory calls a member. */
interface DirectoryIdentity {
  /** As it was sent. No other member has it in another case. */
  readonly userName: string;
  readonly externalId: string | null;
  readonly givenName: string | null;
  readonly familyName: string | null;
}

/** How a member signs in. It changes with use, so it is read when it is shown. */
export interface MemberSignIn {
  readonly hasTwoFactor: boolean;
  readonly lastSignedInAtMs: number | null;
}

/** What a list of members is filtered by. */
interface UserFilter {
  /** In lower case. */
  readonly emails?: readonly string[] | undefined;
  /** Held in the organization: directly, or through a group. */
  readonly roleId?: string | undefined;
  readonly groupId?: string | undefined;
  readonly hasTwoFactor?: boolean | undefined;
  readonly isDeactivated?: boolean | undefined;
  /** Members who never signed in are included. */
  readonly notSignedInSinceMs?: number | undefined;
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
    /** The same list, by pages. */
    pages: (filter: UserFilter): PagedList<UserRecord & MemberSignIn> =>
      listById(filterMembers(reads, filter), { id: "users.id", defaultOrder: "asc" }, (row) => ({
        ...toRecord(row),
        hasTwoFactor: row.has_two_factor === 1,
        lastSignedInAtMs: row.last_signed_in_at_ms,
      })),
    async findSignIn(id: string): Promise<MemberSignIn> {
      const row = await withTwoFactor(reads).where("users.id", "=", id).executeTakeFirst();
      return {
        hasTwoFactor: row?.has_two_factor === 1,
        lastSignedInAtMs: row?.last_signed_in_at_ms ?? null,
      };
    },
    /** Members' last sign-in is no change of theirs: it is neither audited nor a new version. */
    async recordSignIn(transaction: Transaction, id: string, atMs: number): Promise<void> {
      await within(transaction)
        .updateTable("users")
        .set({ last_signed_in_at_ms: atMs })
        .where("id", "=", id)
        .execute();
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
    /** Stops a member: sessions, links and remembered devices end. Roles and groups stay for when they come back. */
    async deactivate(transaction: Transaction, id: string, atMs: number): Promise<void> {
      const queries = within(transaction);
      await queries.updateTable("users").set({ deactivated_at_ms: atMs }).where("id", "=", id).execute();
      for (const table of signInTables) await queries.deleteFrom(table).where("user_id", "=", id).execute();
    },
    async reactivate(transaction: Transaction, id: string): Promise<void> {
      const queries = within(transaction);
      await queries.updateTable("users").set({ deactivated_at_ms: null }).where("id", "=", id).execute();
    },
    /** The ids of the members who were deactivated. */
    async listDeactivated(): Promise<string[]> {
      const rows = await members(reads).where("deactivated_at_ms", "is not", null).execute();
      return rows.map(({ id }) => id);
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

/** What a member signed in with before they were deactivated. */
const signInTables = ["sessions", "password_resets", "sign_in_devices"] as const;

/** Deleted together with a member. */
const memberTables = [
  "role_assignments",
  "group_users",
  ...signInTables,
  "sign_in_identities",
  "used_sign_in_codes",
] as const;

function members(reads: Reads) {
  return reads.selectFrom("users").selectAll().where("removed_at_ms", "is", null);
}

function withTwoFactor(reads: Reads) {
  return reads
    .selectFrom("users")
    .leftJoin("sign_in_two_factors", "sign_in_two_factors.user_id", "users.id")
    .selectAll("users")
    .select("sign_in_two_factors.verified as has_two_factor")
    .where("users.removed_at_ms", "is", null);
}

function filterMembers(reads: Reads, filter: UserFilter) {
  const { emails, roleId, groupId, hasTwoFactor, isDeactivated, notSignedInSinceMs } = filter;
  let query = withTwoFactor(reads);
  if (emails) query = query.where("users.email", "in", emails);
  if (groupId !== undefined) query = query.where(isInGroup(groupId));
  if (roleId !== undefined) query = query.where(holdsRole(roleId));
  if (hasTwoFactor !== undefined) {
    const isOn = sql<number>`coalesce(sign_in_two_factors.verified, 0)`;
    query = query.where(isOn, "=", hasTwoFactor ? 1 : 0);
  }
  if (isDeactivated !== undefined)
    query = query.where("users.deactivated_at_ms", isDeactivated ? "is not" : "is", null);
  if (notSignedInSinceMs !== undefined) {
    const lastAtMs = sql<number>`coalesce(users.last_signed_in_at_ms, 0)`;
    query = query.where(lastAtMs, "<", notSignedInSinceMs);
  }
  return query;
}

const isInGroup = (groupId: string) =>
  sql<SqlBool>`EXISTS (SELECT 1 FROM group_users WHERE group_id = ${groupId} AND user_id = users.id)`;

/** In the organization, directly or through a group. */
const holdsRole = (roleId: string) => sql<SqlBool>`EXISTS (
  SELECT 1 FROM role_assignments AS held
  WHERE held.role_id = ${roleId} AND held.project_id IS NULL AND (
    held.user_id = users.id
    OR held.group_id IN (SELECT group_id FROM group_users WHERE user_id = users.id)))`;

function toRow({ id, email, name, developerPersona, technicalLevel, createdAtMs, directory }: UserRecord) {
  const notes = { developer_persona: developerPersona, technical_level: technicalLevel };
  const identity = {
    user_name: directory?.userName ?? null,
    external_id: directory?.externalId ?? null,
    given_name: directory?.givenName ?? null,
    family_name: directory?.familyName ?? null,
  };
  return { id, email, name, ...notes, ...identity, created_at_ms: createdAtMs };
}

function toRecord(row: Selectable<Tables["users"]>): UserRecord {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    developerPersona: row.developer_persona,
    technicalLevel: row.technical_level,
    createdAtMs: row.created_at_ms,
    directory: row.user_name === null ? null : toIdentity(row, row.user_name),
    deactivatedAtMs: row.deactivated_at_ms,
  };
}

function toIdentity(row: Selectable<Tables["users"]>, userName: string): DirectoryIdentity {
  return {
    userName,
    externalId: row.external_id,
    givenName: row.given_name,
    familyName: row.family_name,
  };
}
