import { Database } from "bun:sqlite";

/** A charge, or a variance: what the provider reported beyond the hold. Amounts are nano-units. */
export interface LedgerRow {
  readonly kind: "payment" | "charge" | "provider_variance" | "correction";
  readonly amount: bigint;
  readonly fromAccount: string;
  readonly toAccount: string;
  readonly basis: string | null;
  readonly requestId: string | null;
  readonly keyId: string | null;
  readonly completionTokens: bigint | null;
}

interface HoldRow {
  readonly requestId: string;
  readonly keyId: string;
  readonly state: "open" | "posted" | "released";
  readonly amount: bigint;
}

export interface Ledger {
  readonly entries: readonly LedgerRow[];
  readonly holds: readonly HoldRow[];
  /** The cached balances, by account. */
  readonly accounts: ReadonlyMap<string, bigint>;
}

/** The ledger of a database, whose gateway may be running, read in one snapshot. */
export function readLedger(path: string): Ledger {
  using database = new Database(path, { readonly: true, safeIntegers: true, strict: true });
  return database.transaction(() => ({
    entries: database
      .query<LedgerRow, []>(
        `SELECT kind, amount, from_account AS fromAccount, to_account AS toAccount, basis,
          request_id AS requestId, key_id AS keyId, completion_tokens AS completionTokens
         FROM ledger_entries ORDER BY seq`,
      )
      .all(),
    holds: database
      .query<HoldRow, []>(
        `SELECT request_id AS requestId, key_id AS keyId, amount, 'open' AS state FROM holds
         UNION ALL
         SELECT id, key_id, held, iif(prompt_tokens IS NULL, 'released', 'posted') FROM request_log
         WHERE held IS NOT NULL`,
      )
      .all(),
    accounts: new Map(
      database
        .query<{ name: string; balance: bigint }, []>("SELECT name, balance FROM accounts")
        .all()
        .map(({ name, balance }) => [name, balance]),
    ),
  }))();
}

/** The number of holds that were neither charged nor released. */
export function openHolds({ holds }: Ledger): number {
  return holds.filter(({ state }) => state === "open").length;
}
