/** Where a model or a provider was written down. */
export type Source = "built_in" | "config" | "database";

const ORDER: Readonly<Record<Source, number>> = { config: 0, database: 1, built_in: 2 };

/** Orders what stands in the configuration file first, then what was added later, then what is built in. */
export function bySource(one: { source: Source }, other: { source: Source }): number {
  return ORDER[one.source] - ORDER[other.source];
}
