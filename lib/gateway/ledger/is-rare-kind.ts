/** Ledger entries that are few, beside the charges. */
export type RareKind = "payment" | "correction";

/**
 * The SQL condition that an entry is of one of these kinds. Only with the second comparison, and with literals, does
 * SQLite use the index `ledger_entries_uncalled`, which has no charges.
 */
export function isRareKind(kinds: readonly RareKind[], table = "ledger_entries"): string {
  const names = kinds.map((kind) => `'${kind}'`).join(", ");
  return `${table}.kind IN (${names}) AND ${table}.kind <> 'charge'`;
}
