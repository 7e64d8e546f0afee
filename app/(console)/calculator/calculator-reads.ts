import { wholeList } from "@/components/queries/reads/whole-list";
import { DAY_S, HOUR_S } from "@/lib/contract/durations";

/** Returns the reads of the calculator. `now` in Unix seconds. */
export function calculatorReads(now: number) {
  const end = now - (now % HOUR_S);
  const start = String(end - 7 * DAY_S);
  return {
    models: wholeList("listOrganizationModels"),
    week: [
      "retrieveUsageSummary",
      { start_time: start, bucket_width: "range", group_by: "model", latencies: "none" },
    ],
    weekUnits: (models: readonly string[]) =>
      models.map((model_id) => ({ model_id, start_time: start, end_time: String(end + HOUR_S) })),
    balance: ["retrieveBalance", undefined],
  } as const;
}
