import { type Transaction, within } from "../changes/transactions.sql";
import type { Database, Reads } from "../database/database";
import { hashSecret } from "../secrets/secret";

export interface AttemptRecord {
  readonly name: string;
  /** The count at the last attempt; it decays from there. */
  readonly count: number;
  readonly lastAtMs: number;
}

export type ChangeRecords = (records: readonly AttemptRecord[]) => readonly AttemptRecord[];

export type AttemptStore = ReturnType<typeof createAttemptStore>;

export function createAttemptStore(reads: Reads) {
  return {
    /** The committed records of these names. */
    list: (names: readonly string[]): Promise<readonly AttemptRecord[]> => readRecords(reads, names),
    /** Reads the records of these names and writes those that `change` returns, atomically. */
    async change(transaction: Transaction, names: readonly string[], change: ChangeRecords): Promise<void> {
      const queries = within(transaction);
      const records = await readRecords(queries, names);
      for (const { name, count, lastAtMs } of change(records)) {
        const values = { count, last_at_ms: lastAtMs };
        await queries
          .insertInto("sign_in_attempts")
          .values({ name, ...values })
          .onConflict((conflict) => conflict.column("name").doUpdateSet(values))
          .execute();
      }
    },
    /** Deletes the records whose last attempt was at or before `untilMs`. */
    async prune(transaction: Transaction, untilMs: number): Promise<void> {
      await within(transaction).deleteFrom("sign_in_attempts").where("last_at_ms", "<=", untilMs).execute();
    },
  };
}

async function readRecords(queries: Reads | Database, names: readonly string[]): Promise<AttemptRecord[]> {
  const rows = await queries.selectFrom("sign_in_attempts").selectAll().where("name", "in", names).execute();
  return rows.map(({ last_at_ms: lastAtMs, ...row }) => ({ ...row, lastAtMs }));
}

/** Devices that members have signed in with. A device is identified by the hash of the token that it keeps. */
export function createDeviceStore(reads: Reads) {
  return {
    /** The ids of the members who have signed in with it. */
    async listMembers(hash: string): Promise<readonly string[]> {
      const rows = await reads
        .selectFrom("sign_in_devices")
        .select("user_id")
        .where("hash", "=", hash)
        .execute();
      return rows.map((row) => row.user_id);
    },
    /** Records that a member signed in with a device. */
    async keep(transaction: Transaction, hash: string, userId: string, atMs: number): Promise<void> {
      await within(transaction)
        .insertInto("sign_in_devices")
        .values({ hash, user_id: userId, created_at_ms: atMs, last_used_at_ms: atMs })
        .onConflict((conflict) =>
          conflict.columns(["user_id", "hash"]).doUpdateSet({ last_used_at_ms: atMs }),
        )
        .execute();
    },
    /** Deletes a member's devices, except one. */
    async forget(transaction: Transaction, userId: string, keptHash: string | null): Promise<void> {
      await within(transaction)
        .deleteFrom("sign_in_devices")
        .where("user_id", "=", userId)
        .where("hash", "!=", keptHash ?? "")
        .execute();
    },
    /** Deletes the devices that were not used since. */
    async prune(transaction: Transaction, untilMs: number): Promise<void> {
      await within(transaction)
        .deleteFrom("sign_in_devices")
        .where("last_used_at_ms", "<=", untilMs)
        .execute();
    },
  };
}

export type DeviceStore = ReturnType<typeof createDeviceStore>;

/** Used one-time codes, challenges and states. */
export function createUsedCodeStore(reads: Reads) {
  return {
    /** Whether a code was used. */
    async isUsed(userId: string, code: string): Promise<boolean> {
      const usedCodes = reads
        .selectFrom("used_sign_in_codes")
        .select("user_id")
        .where("user_id", "=", userId)
        .where("hash", "=", hashSecret(code));
      return (await usedCodes.executeTakeFirst()) !== undefined;
    },
    /** Marks a code as used. @returns false if it was used before, even at the same moment. */
    async use(transaction: Transaction, userId: string, code: string, atMs: number): Promise<boolean> {
      const row = await within(transaction)
        .insertInto("used_sign_in_codes")
        .values({ user_id: userId, hash: hashSecret(code), used_at_ms: atMs })
        .onConflict((conflict) => conflict.doNothing())
        .returning("user_id")
        .executeTakeFirst();
      return row !== undefined;
    },
    /** Marks the state of a single sign-on as used. @returns false if it was used before, even at the same moment. */
    async useState(transaction: Transaction, state: string, atMs: number): Promise<boolean> {
      const row = await within(transaction)
        .insertInto("used_sign_in_states")
        .values({ hash: hashSecret(state), used_at_ms: atMs })
        .onConflict((conflict) => conflict.doNothing())
        .returning("hash")
        .executeTakeFirst();
      return row !== undefined;
    },
    /** Deletes those that were used at or before `untilMs`. */
    async prune(transaction: Transaction, untilMs: number): Promise<void> {
      for (const table of ["used_sign_in_codes", "used_sign_in_states"] as const)
        await within(transaction).deleteFrom(table).where("used_at_ms", "<=", untilMs).execute();
    },
  };
}

export type UsedCodes = ReturnType<typeof createUsedCodeStore>;
