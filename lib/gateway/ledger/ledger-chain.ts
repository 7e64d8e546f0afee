/**
 * The columns of an entry that its batch's hash covers, in this order; see `ledger_entries` for units. The last columns
 * were added later: trailing nulls in them are left out, so that the hashes of older entries stay valid.
 */
export const CHAINED_COLUMNS = [
  "kind",
  "id",
  "amount",
  "created_at_ms",
  "basis",
  "prompt_tokens",
  "completion_tokens",
  "request_id",
  "project_id",
  "key_id",
  "model",
  "input_per_1m",
  "output_per_1m",
  "rate",
  "held",
  "started_at_ms",
  "stream",
  "outcome",
  "status",
  "estimated_tokens",
  "first_byte_ms",
  "duration_ms",
  "reference",
  "provider",
  "cached_tokens",
  "unit",
  "units",
  "unit_price",
  "note",
  "corrects",
  "reason",
  "batch_id",
  "audio",
  "counted_tokens",
  "classes",
] as const;

/** These columns of each entry are always hashed, even if they are null. */
const ALWAYS_CHAINED = CHAINED_COLUMNS.indexOf("reference") + 1;

export type ChainedColumn = (typeof CHAINED_COLUMNS)[number];
/** Whole numbers are number or bigint, depending on the connection. */
type ChainedValue = string | number | bigint | null;
/** An entry by column. The columns that it leaves out are null. */
export type ChainedEntry = Readonly<Partial<Record<ChainedColumn, ChainedValue>>>;
/** An entry in the order of `CHAINED_COLUMNS`. */
export type ChainedValues = readonly ChainedValue[];

export function toChainedValues(entry: ChainedEntry): ChainedValues {
  return CHAINED_COLUMNS.map((column) => entry[column] ?? null);
}

/** The hash that the first batch is chained to. */
export const FIRST_BATCH_HASH = new Uint8Array(32);

const [NULL, INTEGER, TEXT] = [0, 1, 2] as const;
const TWO_TO_32 = 2 ** 32;

/** A reused buffer that entries are written into: formatting their numbers as text would cost four times as much. */
let scratch = Buffer.alloc(64 * 1024);

/**
 * SHA-256 of the previous batch's hash followed by the batch's entries. Each value follows a byte with its type: an
 * integer in 64 bits, or text in UTF-8 after its 32-bit length. The hash is stored in the last entry.
 */
export function hashBatch(previous: Uint8Array, entries: readonly ChainedValues[]): Uint8Array {
  const hasher = new Bun.CryptoHasher("sha256").update(previous);
  let end = 0;
  for (const values of entries) {
    if (end > scratch.length / 2) {
      hasher.update(scratch.subarray(0, end));
      end = 0;
    }
    end = write(values, end);
  }
  return new Uint8Array(hasher.update(scratch.subarray(0, end)).digest());
}

/** SHA-256 of an entry alone, which a batch of several processes' entries is hashed from. */
export function hashEntry(entry: ChainedValues): Uint8Array {
  const end = write(entry, 0);
  return new Uint8Array(new Bun.CryptoHasher("sha256").update(scratch.subarray(0, end)).digest());
}

/**
 * The hash of a batch in a store of several processes: SHA-256 of the previous batch's hash followed by the hashes of
 * the entries, which each process computes before it waits for its turn.
 */
export function hashBatchOfHashes(previous: Uint8Array, entries: readonly ChainedValues[]): Uint8Array {
  const hasher = new Bun.CryptoHasher("sha256").update(previous);
  for (const entry of entries) hasher.update(hashEntry(entry));
  return new Uint8Array(hasher.digest());
}

/** @returns the offset after the values. */
function write(values: ChainedValues, start: number): number {
  makeRoom(values, start);
  let end = start;
  let count = values.length;
  while (count > ALWAYS_CHAINED && values[count - 1] === null) count--;
  for (let index = 0; index < count; index++) {
    const value = values[index] as ChainedValue;
    if (typeof value === "string") {
      const bytes = scratch.write(value, end + 5);
      scratch[end] = TEXT;
      scratch.writeUInt32BE(bytes, end + 1);
      end += 5 + bytes;
    } else if (value === null) scratch[end++] = NULL;
    else {
      scratch[end] = INTEGER;
      if (typeof value === "bigint") scratch.writeBigInt64BE(value, end + 1);
      else {
        scratch.writeInt32BE(Math.floor(value / TWO_TO_32), end + 1);
        scratch.writeUInt32BE(value >>> 0, end + 5);
      }
      end += 9;
    }
  }
  return end;
}

function makeRoom(values: ChainedValues, start: number): void {
  let max = start;
  for (const value of values) max += typeof value === "string" ? 5 + 3 * value.length : 9;
  if (max > scratch.length) scratch = Buffer.concat([scratch], 2 * max);
}
