import { type RawBuilder, sql } from "kysely";
import { firstIdAt } from "@/lib/contract/ids";
import type { RequestOutcome } from "@/lib/contract/operations/calls/requests";
import type { Database } from "../../database/database";

/** The calls of a bucket and an outcome. */
export interface CountRow {
  readonly bucket: number;
  readonly outcome: RequestOutcome;
  readonly calls: number;
  readonly amount: string;
}

export const selectBucket = (column: RawBuilder<unknown>, widthMs: number) =>
  sql`${column} - ${column} % ${widthMs} AS bucket`;

export const joinConditions = (conditions: readonly RawBuilder<unknown>[]) =>
  sql.join(
    conditions.map((condition) => sql`AND ${condition}`),
    sql` `,
  );

/** Whether the range has more charged calls than `max`, found without counting them. */
export async function hasMoreCalls(
  database: Database,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  max: number,
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM ledger_entries
    WHERE id >= ${firstIdAt("txn", fromMs)} AND id < ${firstIdAt("txn", toMs)} ORDER BY id LIMIT 1 OFFSET ${max}`.execute(
    database,
  );
  return rows.length > 0;
}
