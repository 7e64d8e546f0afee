import { HOUR_MS } from "@/lib/contract/durations";
import { runScript } from "../programs/run-script";
import type { Gatehouse } from "../programs/start-gatehouse";

/** A calendar month (UTC), by the id of its statement and by its name on screens. */
export type PastMonth = { readonly id: string; readonly name: string; readonly at: Date };

/**
 * Writes a payment of 50.00 and two charged calls of 2.00, a day or `hours` before the end of last month in UTC.
 * @returns that month, and when they were: a test that read the clock again could mean another month.
 */
export function writeLastMonth(gatehouse: Gatehouse, projectId: string, hours = 24): PastMonth {
  const now = new Date();
  const endMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  return writePastMonth(gatehouse, projectId, new Date(endMs - hours * HOUR_MS));
}

/** Writes a payment of 50.00 and two charged calls of 2.00 at a time in the past. */
function writePastMonth({ dataFolder }: Gatehouse, projectId: string, at: Date): PastMonth {
  runScript("write-month-at", dataFolder, projectId, String(at.getTime()));
  return { id: at.toISOString().slice(0, 7), name: nameMonth(at), at };
}

/** "October 2026" */
export function nameMonth(at: Date): string {
  return at.toLocaleDateString("en", { month: "long", year: "numeric", timeZone: "UTC" });
}
