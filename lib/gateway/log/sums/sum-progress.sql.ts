import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";
import { type Database, oncePerSnapshot } from "../../database/database";
import { sql } from "../../database/fragment";
import { dimensionsFrom } from "./dimension-sums.sql";
import { minutesWholeAt } from "./minute-sums.sql";

/** When the sums by dimension of a width contain all calls. They change only with `lateAdditions`. */
interface DimensionsSpan {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly lateAdditions: number;
}

interface SumProgress {
  readonly lastEntry: number;
  readonly lastSummedEntry: number;
  /** The time from which the sums by minute are complete. */
  readonly minutesWholeFromMs: number;
  /** By the width of the sums. */
  readonly byDimension: ReadonlyMap<number, DimensionsSpan>;
}

interface Row {
  readonly last_seq: number | null;
  readonly written_ms: number | null;
  readonly summed_seq: number;
  readonly minutes_deleted_until_ms: number;
  readonly hours_until_ms: number;
  readonly late_in_hours: number;
  readonly days_until_ms: number;
  readonly late_in_days: number;
}

const PROGRESS = sql<Row>`
  SELECT last.seq AS last_seq, last.created_at_ms AS written_ms, sums.seq AS summed_seq, sums.minutes_deleted_until_ms,
    hours.until_ms AS hours_until_ms, hours.late_additions AS late_in_hours, days.until_ms AS days_until_ms,
    days.late_additions AS late_in_days
  FROM call_sums_end AS sums
  JOIN sums_by_dimension_end AS hours ON hours.width_ms = ${sql.lit(HOUR_MS)}
  JOIN sums_by_dimension_end AS days ON days.width_ms = ${sql.lit(DAY_MS)}
  LEFT JOIN ledger_entries AS last ON last.seq = (SELECT max(seq) FROM ledger_entries)`;

/** How far calls are summed. */
export const readSumProgress = oncePerSnapshot(async (queries: Database): Promise<SumProgress> => {
  const { rows } = await PROGRESS.execute(queries);
  const [row] = rows;
  if (!row) throw new Error("The tables of sums have no progress");
  const writtenMs = row.written_ms ?? 0;
  return {
    lastEntry: row.last_seq ?? 0,
    lastSummedEntry: row.summed_seq,
    minutesWholeFromMs: minutesWholeAt(writtenMs, row.minutes_deleted_until_ms),
    byDimension: new Map([
      [
        HOUR_MS,
        {
          fromMs: dimensionsFrom(HOUR_MS, writtenMs),
          untilMs: row.hours_until_ms,
          lateAdditions: row.late_in_hours,
        },
      ],
      [DAY_MS, { fromMs: 0, untilMs: row.days_until_ms, lateAdditions: row.late_in_days }],
    ]),
  };
});
