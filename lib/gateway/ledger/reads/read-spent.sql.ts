import { type Nano, toNano } from "@/lib/money/amount";
import type { Database } from "../../database/database";
import { sql } from "../../database/fragment";

/** What each project was charged from one time to another, which is exclusive; null for charges of no project. */
export async function readSpent(
  database: Database,
  sinceMs: number,
  untilMs: number,
): Promise<{ projectId: string | null; amount: Nano }[]> {
  const rows = await database
    .selectFrom("ledger_entries")
    .select(["project_id", sql<string>`cast(sum(amount) as text)`.as("amount")])
    .where("kind", "=", "charge")
    .where("created_at_ms", ">=", sinceMs)
    .where("created_at_ms", "<", untilMs)
    .groupBy("project_id")
    .execute();
  return rows.map(({ project_id, amount }) => ({ projectId: project_id, amount: toNano(BigInt(amount)) }));
}

/** When the last entry was written; null without entries. */
export async function readLastEntryMs(database: Database): Promise<number | null> {
  const row = await database
    .selectFrom("ledger_entries")
    .select("created_at_ms")
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.created_at_ms ?? null;
}

/** What each project's open holds set aside. */
export async function readHeld(database: Database): Promise<{ projectId: string; amount: Nano }[]> {
  const rows = await database
    .selectFrom("holds")
    .select(["project_id", sql<string>`cast(sum(amount) as text)`.as("amount")])
    .groupBy("project_id")
    .execute();
  return rows.map(({ project_id, amount }) => ({ projectId: project_id, amount: toNano(BigInt(amount)) }));
}

/** The number of the ledger's last entry; 0 for an empty ledger. */
export async function readLastEntrySeq(database: Database): Promise<number> {
  const row = await database
    .selectFrom("ledger_entries")
    .select(({ fn }) => fn.max("seq").as("seq"))
    .executeTakeFirst();
  return row?.seq ?? 0;
}
