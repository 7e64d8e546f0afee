import type { Database } from "bun:sqlite";
import type { ChargeBasis } from "../funds";
import { FIRST_BATCH_HASH } from "../ledger-row";
import type { Account } from "./ledger-statements.sql";

/** The last entry of a batch, with the totals of all entries up to it. */
export interface LedgerPoint {
  /** The entry's number; 0 before the first entry. */
  readonly seq: bigint;
  /** The hash of the entry's batch, which the next batch is chained to. */
  readonly hash: Uint8Array;
  /** When it was entered. */
  readonly atMs: number;
  readonly accounts: Readonly<Record<Account, bigint>>;
  readonly charges: Readonly<Record<ChargeBasis, { readonly calls: bigint; readonly amount: bigint }>>;
}

const none = { calls: 0n, amount: 0n };

export const LEDGER_START: LedgerPoint = {
  seq: 0n,
  hash: FIRST_BATCH_HASH,
  atMs: 0,
  accounts: { payments: 0n, balance: 0n, charges: 0n, provider_variance: 0n },
  charges: { reported: none, estimated: none, interrupted: none },
};

/** The last verified entry; the start if nothing was verified yet. */
export function readCheckpoint(sqlite: Database): LedgerPoint {
  const row = sqlite.query<{ point: string }, []>("SELECT point FROM ledger_checkpoint").get();
  return row ? parsePoint(row.point) : LEDGER_START;
}

export function writeCheckpoint(sqlite: Database, point: LedgerPoint): void {
  sqlite.query("INSERT OR REPLACE INTO ledger_checkpoint (one, point) VALUES (1, ?)").run(writePoint(point));
}

/** The end of a batch about this many entries later, with the totals up to it; null if there is no further batch. */
export function findPointAfter(sqlite: Database, from: LedgerPoint, entries: number): LedgerPoint | null {
  const end = sqlite
    .query<{ seq: bigint; hash: Uint8Array | null; at_ms: bigint }, []>(
      `SELECT seq, hash, created_at_ms AS at_ms FROM ledger_entries
       WHERE seq > ${from.seq} AND seq <= ${from.seq + BigInt(entries)} AND ${IS_END} ORDER BY seq DESC LIMIT 1`,
    )
    .get();
  return end ? addUpTo(sqlite, from, { ...end, hash: end.hash ?? from.hash }) : null;
}

/** Entries from before hashes were introduced belong to no batch, so each may be an end. */
const IS_END = "(hash IS NOT NULL OR seq <= (SELECT starts_after FROM ledger_chain))";

interface End {
  readonly seq: bigint;
  readonly hash: Uint8Array;
  readonly at_ms: bigint;
}

function addUpTo(sqlite: Database, from: LedgerPoint, { seq, hash, at_ms }: End): LedgerPoint {
  const accounts = { ...from.accounts };
  const charges = { ...from.charges };
  const sums = sqlite
    .query<
      { from_account: Account; to_account: Account; basis: ChargeBasis | null; n: bigint; amount: bigint },
      []
    >(
      `SELECT from_account, to_account, iif(kind = 'charge', coalesce(basis, 'reported'), NULL) AS basis,
         count(*) AS n, sum(amount) AS amount
       FROM ledger_entries WHERE seq > ${from.seq} AND seq <= ${seq} GROUP BY 1, 2, 3`,
    )
    .all();
  for (const { from_account, to_account, basis, n, amount } of sums) {
    accounts[from_account] -= amount;
    accounts[to_account] += amount;
    if (basis === null) continue;
    charges[basis] = { calls: charges[basis].calls + n, amount: charges[basis].amount + amount };
  }
  return { seq, hash, atMs: Number(at_ms), accounts, charges };
}

export const writePoint = (point: LedgerPoint) =>
  JSON.stringify(point, (_name, value: unknown) => {
    if (typeof value === "bigint") return { bigint: String(value) };
    return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString("hex") } : value;
  });

export const parsePoint = (text: string) =>
  JSON.parse(text, (_name, value: unknown) => {
    if (typeof value !== "object" || value === null) return value;
    if ("bigint" in value) return BigInt(String(value.bigint));
    return "bytes" in value ? new Uint8Array(Buffer.from(String(value.bytes), "hex")) : value;
  }) as LedgerPoint;
