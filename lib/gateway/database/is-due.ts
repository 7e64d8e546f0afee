import { sql } from "kysely";

/**
 * Whether the time in a column has come. A time later than anything waits was stored by a clock that was ahead, and
 * counts as come once the clock is right.
 */
export function isDue(column: string, nowMs: number, longestWaitMs: number) {
  const due = sql.ref(column);
  return sql<boolean>`(${due} <= ${nowMs} OR ${due} > ${nowMs + longestWaitMs})`;
}
