/** A charge at the turn of a month counts in one of both: the clocks of processes differ a little. */
const AROUND_MS = 10_000;

/** What must hold of the books at any time; empty if all does. */
export async function checkBooks(
  rows: (query: string) => Promise<Record<string, unknown>[]>,
): Promise<string[]> {
  const [row = {}] = await rows(`SELECT balance, held, seq, payments + balance + charges + variance AS total,
    (SELECT coalesce(sum(amount), 0) FROM holds) AS open,
    (SELECT coalesce(sum(CASE to_account WHEN 'balance' THEN amount ELSE 0 END)
      - sum(CASE from_account WHEN 'balance' THEN amount ELSE 0 END), 0) FROM ledger_entries) AS entered,
    (SELECT count(*) FROM ledger_entries) AS entries,
    (SELECT count(*) FROM ledger_entries e JOIN holds h ON h.id = 'hold' || substr(e.id, 4)) AS twice,
    (SELECT balance_after FROM ledger_entries ORDER BY seq DESC LIMIT 1) AS last_balance,
    (SELECT count(*) FROM spend s, LATERAL (
      SELECT coalesce(sum(amount), 0) AS at_most, coalesce(sum(amount) FILTER (WHERE created_at_ms > s.month_ms + ${AROUND_MS}), 0) AS at_least
      FROM ledger_entries WHERE kind = 'charge' AND created_at_ms >= s.month_ms - ${AROUND_MS}
        AND (s.scope = 'organization' OR project_id = s.scope)) AS charged
      WHERE spent NOT BETWEEN at_least AND at_most) AS wrong_spend,
    (SELECT coalesce(sum(held), 0) FROM spend WHERE scope = 'organization') AS spend_held,
    (SELECT count(*) FROM windows w WHERE EXISTS (SELECT FROM generate_series(1, 4) j WHERE used[j] <> last[j] +
      (SELECT coalesce(sum(amounts[j]), 0) FROM minute_slots m WHERE m.project_id = w.project_id AND m.model = w.model))
      OR EXISTS (SELECT FROM generate_series(5, 6) j WHERE used[j] <> last[j] + (SELECT coalesce(sum(amounts[j - 4]), 0)
        FROM day_slots d WHERE d.project_id = w.project_id AND d.model = w.model))) AS wrong_windows FROM book`);
  const facts: [string, unknown, unknown][] = [
    ["held = open holds", row.held, row.open],
    ["balance = entries", row.balance, row.entered],
    ["accounts add up to nothing", row.total, 0],
    ["numbers without gaps", row.seq, row.entries],
    ["a hold and its charge at once", row.twice, 0],
    ["running balance", row.last_balance ?? row.balance, row.balance],
    ["spent = the month's charges", row.wrong_spend, 0],
    ["held against spend limits", row.spend_held, row.open],
    ["windows = sums of slots", row.wrong_windows, 0],
  ];
  return facts
    .filter(([, is, should]) => String(is) !== String(should))
    .map(([name, is, should]) => `${name}: ${is}, should be ${should}`);
}
