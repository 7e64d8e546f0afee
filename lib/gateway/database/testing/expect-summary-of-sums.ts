import { expect } from "bun:test";
import { addLatencies, sumUsage } from "../../log/usage/sum-usage.sql";
import { summarizeUsage } from "../../log/usage/summarize-usage";
import type { UsageBucket, UsagePart, UsageQuery, UsageSummary } from "../../log/usage/usage-summary";
import { UsageTally } from "../../log/usage/usage-tally";
import type { Database } from "../database";

/** A summary computes the largest group as the whole minus the others. It must equal the sums of each group. */
export async function expectSummaryOfSums(
  queries: Database,
  range: Omit<UsageQuery, "shiftMs" | "orderBy" | "latencies">,
): Promise<void> {
  const { fromMs, toMs, widthMs } = range;
  const shiftMs = Math.ceil((toMs - fromMs) / widthMs) * widthMs;
  const question = { ...range, shiftMs, orderBy: "requests" } as const;
  const summary = await summarizeUsage(queries, { ...question, latencies: "buckets" });
  const { groups } = summary;
  const readSums = async (stretch: typeof range) => {
    const { tallies } = await sumUsage(queries, stretch);
    await addLatencies(queries, tallies, stretch);
    return (id: string | null) => tallies.get(id) ?? new UsageTally();
  };
  const now = await readSums(range);
  const sumsBefore = await readSums({
    ...range,
    fromMs: fromMs - shiftMs,
    toMs: toMs - shiftMs,
    isUntilNow: false,
  });
  const isSomething = ({ requests, refusals }: UsageBucket) => requests + refusals > 0;
  for (const { id, totals, previousTotals, buckets } of groups) {
    expect(totals).toEqual(now(id).figures());
    expect(previousTotals).toEqual(sumsBefore(id).figures());
    expect(buckets.filter(isSomething)).toEqual(now(id).buckets().filter(isSomething));
  }
  expect(await summarizeUsage(queries, { ...question, latencies: "totals" })).toEqual(
    withoutBucketLatencies(summary),
  );
}

function withoutBucketLatencies(summary: UsageSummary): UsageSummary {
  const cutLatencies = (buckets: readonly UsageBucket[]) =>
    buckets.map((bucket) => ({ ...bucket, ...NO_LATENCIES }));
  const cutPart = <Part extends UsagePart>(part: Part) => ({ ...part, buckets: cutLatencies(part.buckets) });
  return {
    ...cutPart(summary),
    previousBuckets: cutLatencies(summary.previousBuckets),
    groups: summary.groups.map(cutPart),
    rest: summary.rest && cutPart(summary.rest),
  };
}

const NO_LATENCIES = { durationP50Ms: null, durationP95Ms: null, firstByteP50Ms: null, firstByteP95Ms: null };
