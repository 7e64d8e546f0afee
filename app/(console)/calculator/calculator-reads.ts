import { wholeList } from "@/app/queries/reads/whole-list";

const HOUR = 3_600;
const WEEK = 7 * 24 * HOUR;

/** Returns the reads of the calculator. `now` in Unix seconds. */
export function calculatorReads(now: number) {
  const end = now - (now % HOUR);
  const start = String(end - WEEK);
  return {
    models: wholeList("listOrganizationModels"),
    week: [
      "retrieveUsageSummary",
      { start_time: start, bucket_width: "range", group_by: "model", latencies: "none" },
    ],
    weekUnits: (models: readonly string[]) =>
      models.map((model_id) => ({ model_id, start_time: start, end_time: String(end + HOUR) })),
    balance: ["retrieveBalance", undefined],
  } as const;
}
