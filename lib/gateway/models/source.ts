/** Where a model or a provider is defined. */
export type Source = "built_in" | "config" | "database";

const ORDER: Readonly<Record<Source, number>> = { config: 0, database: 1, built_in: 2 };

/** Orders by source: configured first, then stored, then built-in. */
export function bySource(one: { source: Source }, other: { source: Source }): number {
  return ORDER[one.source] - ORDER[other.source];
}
