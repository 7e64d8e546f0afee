import { usageDimensions } from "@/lib/contract/calls/usage-dimensions";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import type { UsageDimension } from "@/lib/contract/operations/usage/usage-summary";
import type { Database } from "@/lib/gateway/database/database";
import { readChargedUnits } from "@/lib/gateway/log/usage/charged-units.sql";
import { listUsage } from "@/lib/gateway/log/usage/list-usage.sql";
import { readModelHealth } from "@/lib/gateway/log/usage/model-health.sql";
import { summarizeUsage } from "@/lib/gateway/log/usage/summarize-usage";
import type { UsageFilter, UsageQuery } from "@/lib/gateway/log/usage/usage-summary";
import { readLimitHistory } from "@/lib/gateway/rate-limits/stored-limit-usage.sql";
import { keyIdAt, memberIdAt, modelIdAt, projectIdAt } from "./seed-calls";

/** A read of the reporting thread, by the screen that makes it. */
interface LogRead {
  readonly name: string;
  readonly read: (sums: Database) => Promise<unknown>;
}

const everything: UsageFilter = { projectIds: null };
const floor = (ms: number, widthMs: number) => ms - (ms % widthMs);

interface Range {
  readonly name: string;
  readonly fromMs: number;
  /** Now if absent. */
  readonly toMs?: number;
  readonly widthMs: number;
}

const filters: Record<string, UsageFilter> = {
  "a large project": { projectIds: [projectIdAt(0)] },
  "20 projects": { projectIds: Array.from({ length: 20 }, (_, index) => projectIdAt(index)) },
  "a model": { projectIds: null, model: modelIdAt(0) },
  "a provider": { projectIds: null, provider: "openai" },
  "a key": { projectIds: null, keyIds: [keyIdAt(0)] },
  "a member": { projectIds: null, keyIds: [memberIdAt(0)] },
};

/** Returns the sums that the console's screens read, from the last call's time on. */
export function logReads(nowMs: number): readonly LogRead[] {
  const date = new Date(nowMs);
  const monthStart = (later: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later);
  const last = (name: string, lengthMs: number, widthMs: number): Range => ({
    name,
    fromMs: floor(nowMs - lengthMs, widthMs),
    widthMs,
  });
  const month = last("30 days", 30 * DAY_MS, DAY_MS);
  const lastMonth = { name: "last month", fromMs: monthStart(-1), toMs: monthStart(0), widthMs: DAY_MS };
  const ranges = [
    last("an hour", HOUR_MS, MINUTE_MS),
    last("a day", DAY_MS, HOUR_MS),
    last("7 days", 7 * DAY_MS, HOUR_MS),
    month,
    last("90 days", 90 * DAY_MS, DAY_MS),
    { name: "this month", fromMs: monthStart(0), widthMs: DAY_MS },
    lastMonth,
  ];
  const usage = (range: Range, groupBy: UsageDimension | null, filter = everything): UsageQuery => {
    const { fromMs, toMs = nowMs, widthMs } = range;
    const shiftMs = Math.ceil((toMs - fromMs) / widthMs) * widthMs;
    const isUntilNow = range.toMs === undefined;
    return {
      filter,
      fromMs,
      toMs,
      isUntilNow,
      widthMs,
      shiftMs,
      groupBy,
      orderBy: "amount",
      latencies: "buckets",
    };
  };
  const summary = (name: string, question: UsageQuery): LogRead => ({
    name,
    read: (sums) => summarizeUsage(sums, question),
  });
  const ofKey = { projectIds: [projectIdAt(9)], keyIds: [keyIdAt(18)] };
  const week = { name: "", fromMs: floor(nowMs, HOUR_MS) - 7 * DAY_MS, widthMs: DAY_MS };
  return [
    ...ranges.flatMap((range) =>
      [null, ...usageDimensions].map((groupBy) =>
        summary(`usage of ${range.name} by ${groupBy ?? "nothing"}`, usage(range, groupBy)),
      ),
    ),
    ...Object.entries(filters).flatMap(([name, filter]) =>
      [null, "project_id" as const, "model" as const].map((groupBy) =>
        summary(`30 days of ${name} by ${groupBy ?? "nothing"}`, usage(month, groupBy, filter)),
      ),
    ),
    summary("a key's last 30 days", usage({ ...month, fromMs: nowMs - 30 * DAY_MS - 17_000 }, null, ofKey)),
    summary("the calculator's week by model", usage(week, "model")),
    summary(
      "a model's last month by project",
      usage(lastMonth, "project_id", { projectIds: null, model: modelIdAt(0) }),
    ),
    {
      name: "a page of usage sums, 30 days by key",
      read: (sums) => listUsage(sums, { ...usage(month, "api_key_id"), after: null, limit: 1_000 }),
    },
    ...furtherReads(nowMs, lastMonth),
  ];
}

/** The reads of health, limits and prices. */
function furtherReads(nowMs: number, lastMonth: { fromMs: number; toMs: number }): readonly LogRead[] {
  return [
    { name: "health of models", read: (sums) => readModelHealth(sums, nowMs - DAY_MS) },
    { name: "limits in use, last day and week", read: (sums) => readLimitHistory(sums, null, nowMs) },
    {
      name: "charged units of a model, last month",
      read: (sums) => readChargedUnits(sums, { model: modelIdAt(0), projectIds: null, ...lastMonth }),
    },
  ];
}
