import type { Tables } from "../../database/schema";
import { maskSecrets } from "../../secrets/mask-secrets";
import type { AuditChange } from "./audit-event";
import { auditedTables } from "./audited-tables.sql";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Masks secrets that somebody typed into a text. Ids and references stay whole even if they look like secrets: mirrors
 * reread the rows that they name.
 */
export function maskChange({ before, after, ...identity }: AuditChange): AuditChange {
  const { object } = identity;
  return {
    ...identity,
    before: before && maskRow(object, before),
    after: after && maskRow(object, after),
  };
}

/** The same for a row of a table in the form of events. */
export function maskRow(table: string, row: Fields): Fields {
  const references = auditedTables[table as keyof Tables]?.references;
  const mask = ([column, value]: [string, unknown]) => {
    const isShownWhole = typeof value !== "string" || column === "id" || references?.includes(column);
    return [column, isShownWhole ? value : maskSecrets(value)];
  };
  return Object.fromEntries(Object.entries(row).map(mask));
}
