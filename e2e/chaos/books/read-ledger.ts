import { Database } from "bun:sqlite";
import pg from "pg";

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

const ENTRIES = `SELECT kind, amount, from_account AS "fromAccount", to_account AS "toAccount", basis,
  request_id AS "requestId", key_id AS "keyId", completion_tokens AS "completionTokens"
  FROM ledger_entries ORDER BY seq`;
const HOLDS = `SELECT request_id AS "requestId", key_id AS "keyId", amount, 'open' AS state FROM holds
  UNION ALL
  SELECT id, key_id, held, CASE WHEN prompt_tokens IS NULL THEN 'released' ELSE 'posted' END FROM request_log
  WHERE held IS NOT NULL`;
const ACCOUNTS = "SELECT name, balance FROM accounts";

type AccountRow = { readonly name: string; readonly balance: bigint };

/** The ledger of a database, whose gateway may be running, read in one snapshot. */
export function readLedger(path: string): Ledger {
  using database = new Database(path, { readonly: true, safeIntegers: true, strict: true });
  return database.transaction(() => ({
    entries: database.query<LedgerRow, []>(ENTRIES).all(),
    holds: database.query<HoldRow, []>(HOLDS).all(),
    accounts: toAccounts(database.query<AccountRow, []>(ACCOUNTS).all()),
  }))();
}

/** The same on PostgreSQL. */
export async function readPostgresLedger(url: string): Promise<Ledger> {
  const client = new pg.Client({ connectionString: url, types: { getTypeParser: findParser } });
  await client.connect();
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    return {
      entries: (await client.query<LedgerRow>(ENTRIES)).rows,
      holds: (await client.query<HoldRow>(HOLDS)).rows,
      accounts: toAccounts((await client.query<AccountRow>(ACCOUNTS)).rows),
    };
  } finally {
    await client.end();
  }
}

const findParser = ((oid: number, format?: "text") =>
  oid === pg.types.builtins.INT8
    ? BigInt
    : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig["getTypeParser"];

function toAccounts(rows: readonly AccountRow[]): Ledger["accounts"] {
  return new Map(rows.map(({ name, balance }) => [name, balance]));
}

/** The number of holds that were neither charged nor released. */
export function openHolds({ holds }: Ledger): number {
  return holds.filter(({ state }) => state === "open").length;
}
