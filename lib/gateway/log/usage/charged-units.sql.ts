import { type Nano, toNano } from "@/lib/money/amount";
import type { Database } from "../../database/database";
import { dialectOf, sql } from "../../database/fragment";

/** Selects charges of one model by time. */
export interface ChargedUnitsQuery {
  readonly model: string;
  /** Null for all. */
  readonly projectIds: readonly string[] | null;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

/** The units of one project at one list price. */
export interface ChargedUnits {
  readonly projectId: string;
  /** Null if it is no longer known. */
  readonly projectName: string | null;
  readonly unit: string;
  readonly listPrice: Nano;
  /** Millionths of the unit. */
  readonly units: bigint;
  readonly calls: number;
  readonly amount: Nano;
}

export interface ChargedUnitsReader {
  /** The largest amounts first. */
  chargedUnits(query: ChargedUnitsQuery): Promise<ChargedUnits[]>;
}

interface Row {
  readonly project_id: string;
  readonly project_name: string | null;
  readonly unit: string;
  readonly unit_price: string;
  readonly units: string;
  readonly calls: number;
  readonly amount: string;
}

/** Sums a model's charges by the unit. Reads only these, by the index `ledger_entries_units`. */
export async function readChargedUnits(queries: Database, query: ChargedUnitsQuery): Promise<ChargedUnits[]> {
  const { model, projectIds, fromMs, toMs } = query;
  const { isListed } = dialectOf(queries);
  const { rows } = await sql<Row>`
    SELECT project_id, (SELECT name FROM projects WHERE id = project_id) AS project_name, unit,
      cast(unit_price AS text) AS unit_price, cast(sum(units) AS text) AS units, count(*) AS calls,
      cast(sum(amount) AS text) AS amount
    FROM ledger_entries
    WHERE unit IS NOT NULL AND kind = 'charge' AND model = ${model} AND created_at_ms >= ${fromMs}
      AND created_at_ms < ${toMs} ${projectIds === null ? sql`` : sql`AND ${isListed(sql`project_id`, projectIds)}`}
    GROUP BY project_id, unit, ledger_entries.unit_price
    ORDER BY sum(amount) DESC, project_id, ledger_entries.unit_price`.execute(queries);
  return rows.map((row) => ({
    projectId: row.project_id,
    projectName: row.project_name,
    unit: row.unit,
    listPrice: toNano(BigInt(row.unit_price)),
    units: BigInt(row.units),
    calls: row.calls,
    amount: toNano(BigInt(row.amount)),
  }));
}
