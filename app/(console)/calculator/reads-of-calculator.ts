const HOUR = 3_600;
const WEEK = 7 * 24 * HOUR;

/** Returns the reads of the calculator. `now` in Unix seconds. */
export function calculatorReads(now: number) {
  const start = String(now - (now % HOUR) - WEEK);
  return {
    models: ["listOrganizationModels", { limit: "1000" }],
    week: ["retrieveUsageSummary", { start_time: start, bucket_width: "1d", group_by: "model" }],
    balance: ["retrieveBalance", undefined],
  } as const;
}
