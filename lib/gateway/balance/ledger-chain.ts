/**
 * What of an entry its batch's hash covers, in this order; see `ledger_entries` for units. The reference comes last, being
 * the only text that may hold a line break.
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
] as const;

/** The values of those columns; whole numbers as number or bigint, as the connection has them. */
export type ChainedValues = readonly (string | number | bigint | null)[];

/** What the first batch is chained to. */
export const FIRST_BATCH_HASH = new Uint8Array(32);

/** SHA-256 of the previous batch's hash followed by the batch's entries, a value a line. It stands in the last of them. */
export function hashOfBatch(previous: Uint8Array, entries: readonly ChainedValues[]): Uint8Array {
  const hasher = new Bun.CryptoHasher("sha256").update(previous);
  for (const values of entries) hasher.update(`${values.join("\n")}\n`);
  return new Uint8Array(hasher.digest());
}
