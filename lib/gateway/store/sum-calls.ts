import type { Database as Sqlite } from "bun:sqlite";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
export const SUM_WIDTHS = [HOUR_MS, DAY_MS] as const;

/** Calls of one step: 0.03 to 0.16 ms each, in which neither calls nor the writer get their turn. */
export const SUMMED_AT_ONCE = 25;

const COLUMNS = "width_ms, start_ms, project_id, key_id, model, outcome, status, refused_by";

const TOTALS = "width_ms, start_ms, outcome, status, refused_by";
const added = `calls = calls + excluded.calls, amount = amount + excluded.amount,
  max_amount = max(max_amount, excluded.max_amount), max_duration_ms = max(max_duration_ms, excluded.max_duration_ms)`;

/** Adds what a source has by `?1` ms of width to the sums. Sources name their columns as the sums do, and `at_ms`. */
const addFrom = (source: string) => [
  `INSERT INTO call_sums (${COLUMNS}, calls, amount, max_amount, max_duration_ms)
  SELECT ?1, at_ms - at_ms % ?1, project_id, key_id, model, outcome, status, refused_by, count(*), sum(amount),
    max(amount), max(duration_ms)
  FROM (${source}) WHERE true GROUP BY 2, 3, 4, 5, 6, 7, 8
  ON CONFLICT (${COLUMNS}) DO UPDATE SET ${added}`,
  `INSERT INTO call_totals (${TOTALS}, calls, amount, max_amount, max_duration_ms)
  SELECT ?1, at_ms - at_ms % ?1, outcome, status, refused_by, count(*), sum(amount), max(amount), max(duration_ms)
  FROM (${source}) WHERE true GROUP BY 2, 3, 4, 5 ON CONFLICT (${TOTALS}) DO UPDATE SET ${added}`,
];

const charges =
  addFrom(`SELECT started_at_ms AS at_ms, project_id, key_id, model, outcome, status, '' AS refused_by, amount,
  coalesce(duration_ms, 0) AS duration_ms FROM ledger_entries WHERE seq > ?2 AND seq <= ?3 AND kind = 'charge'`);

const others =
  addFrom(`SELECT at_ms, project_id, key_id, model, outcome, status, coalesce(refused_by, '') AS refused_by,
  0 AS amount, coalesce(duration_ms, 0) AS duration_ms FROM uncharged_calls WHERE id IN (
    SELECT id FROM unsummed_calls ORDER BY id LIMIT ?2)`);

/**
 * Adds the calls that were written since to the sums by hour and day, a few at a time; `pause` is awaited after each step, and
 * says whether to go on. Sums and what they are of change in one transaction: a crash loses and doubles none.
 */
export async function sumCalls(sqlite: Sqlite, pause: () => Promise<boolean>): Promise<void> {
  while (step(sqlite) && (await pause()));
}

/** @returns whether there may be more. */
function step(sqlite: Sqlite): boolean {
  const last = lastEntryOf(sqlite);
  const end = sqlite.query<{ seq: number }, []>("SELECT seq FROM call_sums_end").get()?.seq ?? 0;
  const isNoted = sqlite.query("SELECT 1 FROM unsummed_calls LIMIT 1").get() !== null;
  if (end >= last && !isNoted) return false;
  return sqlite
    .transaction(() => {
      // Read again: this is the one moment in which they belong together.
      const from = sqlite.query<{ seq: number }, []>("SELECT seq FROM call_sums_end").get()?.seq ?? 0;
      const to = Math.min(from + SUMMED_AT_ONCE, Math.max(last, from));
      for (const width of SUM_WIDTHS) {
        if (to > from) for (const add of charges) sqlite.query(add).run(width, from, to);
        if (isNoted) for (const add of others) sqlite.query(add).run(width, SUMMED_AT_ONCE);
      }
      sqlite.query("UPDATE call_sums_end SET seq = ?").run(to);
      const noted =
        "DELETE FROM unsummed_calls WHERE id IN (SELECT id FROM unsummed_calls ORDER BY id LIMIT ?)";
      const { changes } = sqlite.query(noted).run(SUMMED_AT_ONCE);
      return to < last || changes === SUMMED_AT_ONCE;
    })
    .immediate();
}

/** The number of the ledger's last entry; 0 where there is none. */
export function lastEntryOf(sqlite: Sqlite): number {
  const row = sqlite
    .query<{ seq: number }, []>("SELECT coalesce(max(seq), 0) AS seq FROM ledger_entries")
    .get();
  return row?.seq ?? 0;
}
