import type { Database } from "bun:sqlite";
import { findKeptHead, findLoss, StoreFault, type StoreHead } from "../../database/store-head";
import {
  CHAINED_COLUMNS,
  type ChainedEntry,
  type ChainedValues,
  hashBatch,
  hashBatchOfHashes,
  toChainedValues,
} from "../../ledger/ledger-row";
import { formatCount } from "../format-count";
import { type Check, countRows, inRange, type LedgerRange } from "./check";

/** The head stored next to the database; null if there is none, as with a backup; a fault if it can't be read. */
export type KeptHead = StoreHead | StoreFault | null;

export function readKeptHead(dataFolder: string): KeptHead {
  try {
    return findKeptHead(dataFolder);
  } catch (error) {
    if (error instanceof StoreFault) return error;
    throw error;
  }
}

export const chainCheck = (kept: KeptHead): Check => ({
  title: "I11 no ledger entry was altered, and none is missing at the end",
  run(database, _nowMs, range) {
    if (countRows(database, "FROM sqlite_master WHERE name = 'ledger_chain'") === 0n)
      return { checked: "no chain", faults: ["The ledger is in no chain yet: start Gatehouse once."] };
    const chainFault = findBrokenBatch(database, range);
    const keptHead = kept instanceof StoreFault ? null : kept;
    const loss = keptHead && findLoss(database, keptHead);
    const faults = [
      ...(chainFault ? [`${chainFault} Compare with a backup.`] : []),
      ...(kept instanceof StoreFault ? [kept.message] : []),
      ...(loss
        ? [
            `The database is behind the head kept beside it: ${loss}. Its log was cut off, or an older copy was put in its place; restore a newer backup.`,
          ]
        : []),
    ];
    const beside = keptHead
      ? `, ${keptHead.ledger.length} noted beside the store`
      : ", none noted beside the store";
    return { checked: `${formatCount(range.to, "entry", "entries")}${beside}`, faults };
  },
});

/** The first batch whose hash doesn't match its entries and the batch before it. */
function findBrokenBatch(database: Database, range: LedgerRange): string | null {
  const rows = database.query<ChainedEntry & { seq: number | bigint; hash: Uint8Array | null }, []>(
    `SELECT seq, hash, ${CHAINED_COLUMNS.join(", ")} FROM ledger_entries
     WHERE ${inRange(range)} AND (seq > (SELECT starts_after FROM ledger_chain) OR hash IS NOT NULL) ORDER BY seq`,
  );
  let previous = range.from.hash;
  let batch: ChainedValues[] = [];
  for (const row of rows.iterate()) {
    batch.push(toChainedValues(row));
    const { hash } = row;
    if (hash === null) continue;
    const stored = Buffer.from(hash);
    // A store of several processes hashes the hashes of its entries.
    if (!stored.equals(hashBatch(previous, batch)) && !stored.equals(hashBatchOfHashes(previous, batch)))
      return `The batch that ends with entry ${row.seq} (${row.id}) is not as it was written.`;
    [previous, batch] = [hash, []];
  }
  return batch.length > 0 ? `The last ${batch.length} entries are in no batch.` : null;
}
