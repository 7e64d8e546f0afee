import { sql } from "kysely";
import { type Nano, toNano } from "@/lib/money/amount";
import type { Database } from "../database";

/** What each project was charged since a time; null for charges of no project. */
export async function readSpent(
  database: Database,
  sinceMs: number,
): Promise<{ projectId: string | null; amount: Nano }[]> {
  const rows = await database
    .selectFrom("ledger_entries")
    .select(["project_id", sql<string>`cast(sum(amount) as text)`.as("amount")])
    .where("kind", "=", "charge")
    .where("created_at_ms", ">=", sinceMs)
    .groupBy("project_id")
    .execute();
  return rows.map(({ project_id, amount }) => ({ projectId: project_id, amount: toNano(BigInt(amount)) }));
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
