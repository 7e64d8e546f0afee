import { sql } from "kysely";
import { mapLimits, rateLimitRows } from "@/lib/contract/calls/rate-limit-table";
import type { Database } from "../database/database";
import { DAY_SLOT_MS, DAY_SLOTS, MINUTE_SLOT_MS, MINUTE_SLOTS } from "../ledger/ticks/window-functions.sql";
import type { LimitWindows } from "./limit-usage";
import type { PairUsage, ProjectModelPair } from "./project-model-windows";

const NOTHING: readonly number[] = rateLimitRows.map(() => 0);

interface UsageRow {
  readonly project_id: string;
  readonly model: string;
  readonly used: number[];
}

/**
 * The use of the limits as it stands on PostgreSQL, by the calls of all processes. Nobody moves a window on while no
 * call comes, so what has left it is left out here.
 */
export class PostgresWindows implements LimitWindows {
  constructor(
    private readonly database: Database,
    private readonly nowMs: () => number,
  ) {}

  async touched(): Promise<readonly ProjectModelPair[]> {
    const { rows } =
      await sql<ProjectModelPair>`SELECT project_id AS "projectId", model FROM windows`.execute(
        this.database,
      );
    return rows;
  }

  async readUsage(pairs: readonly ProjectModelPair[]): Promise<readonly PairUsage[]> {
    const minute = Math.floor(this.nowMs() / MINUTE_SLOT_MS) - MINUTE_SLOTS;
    const day = Math.floor(this.nowMs() / DAY_SLOT_MS) - DAY_SLOTS;
    const projects = pairs.map(({ projectId }) => projectId);
    const models = pairs.map(({ model }) => model);
    const { rows } = await sql<UsageRow>`
      SELECT w.project_id, w.model, ARRAY[m.one, m.two, m.three, m.four, d.five, d.six]::float8[] AS used
      FROM unnest(${projects}::text[], ${models}::text[]) AS asked(project_id, model)
      CROSS JOIN LATERAL (SELECT * FROM windows o WHERE o.project_id = asked.project_id AND o.model = asked.model
        ORDER BY version DESC LIMIT 1) AS w
      CROSS JOIN LATERAL (SELECT coalesce(sum(a[1]), 0) AS one, coalesce(sum(a[2]), 0) AS two,
          coalesce(sum(a[3]), 0) AS three, coalesce(sum(a[4]), 0) AS four FROM (
        SELECT amounts AS a FROM minute_slots s
          WHERE s.project_id = w.project_id AND s.model = w.model AND slot >= ${minute}
        UNION ALL SELECT ARRAY[last[1], last[2] + debt, last[3], last[4]] WHERE w.minute_slot >= ${minute}) AS open) AS m
      CROSS JOIN LATERAL (SELECT coalesce(sum(a[1]), 0) AS five, coalesce(sum(a[2]), 0) AS six FROM (
        SELECT amounts AS a FROM day_slots s
          WHERE s.project_id = w.project_id AND s.model = w.model AND slot >= ${day}
        UNION ALL SELECT last[5:6] WHERE w.day_slot >= ${day}) AS open) AS d`.execute(this.database);
    const used = new Map(rows.map((row) => [`${row.project_id} ${row.model}`, row.used]));
    return pairs.map(({ projectId, model }) => {
      const of = used.get(`${projectId} ${model}`) ?? NOTHING;
      return { projectId, model, used: mapLimits((row) => of[rateLimitRows.indexOf(row)] ?? 0) };
    });
  }
}
