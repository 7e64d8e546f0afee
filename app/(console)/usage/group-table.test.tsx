import { expect, test } from "bun:test";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { SearchParamsContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { buildSeries } from "@/components/usage/build-series";
import { metrics } from "@/components/usage/metrics";
import type { UsageFigures, UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { GroupTable } from "./usage-screen";

const totals = (requests: number): UsageFigures => ({
  requests,
  errors: 0,
  refusals: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  cached_tokens: 0,
  input_audio_tokens: 0,
  output_audio_tokens: 0,
  amount: "0.00",
  duration_p50_ms: null,
  duration_p95_ms: null,
  first_byte_p50_ms: null,
  first_byte_p95_ms: null,
});
const part = (requests: number) => ({
  totals: totals(requests),
  previous_totals: null,
  buckets: [],
  series: { requests: [requests] },
});

/** The eight largest projects, and `others` more that make 70 calls together. */
const summarize = (others: number): UsageSummary => ({
  object: "usage.summary",
  start_time: 0,
  end_time: 3_600,
  bucket_seconds: 3_600,
  currency: "USD",
  totals: totals(106),
  buckets: [],
  previous: null,
  group_by: "project_id",
  groups: [8, 7, 6, 5, 4, 3, 2, 1].map((calls) => ({
    id: `proj_${calls}`,
    name: `Team ${calls}`,
    ...part(calls),
  })),
  rest: others === 0 ? null : { groups: others, ...part(70) },
  pending_calls: 0,
});

function show(others: number): string {
  return renderToStaticMarkup(
    <SearchParamsContext value={new URLSearchParams()}>
      <QueryClientProvider client={new QueryClient()}>
        <GroupTable summary={summarize(others)} grouping="project_id" read="listUsageSums" parameters={{}} />
      </QueryClientProvider>
    </SearchParamsContext>,
  );
}

test("a chart draws the eight largest groups in colors of their own, and all others as one", () => {
  const series = buildSeries(summarize(1_204), metrics.requests);
  expect(series.map(({ label }) => label).slice(-2)).toEqual(["Team 1", "1,204 others"]);
  expect(series).toHaveLength(9);
  expect(new Set(series.map(({ color }) => color)).size).toBe(9);
  expect(series.at(-1)).toMatchObject({ color: "rest", values: [{ height: 70 }] });
});

test("the table below leads from the others to all groups, which are searched", () => {
  const table = show(1_204);
  expect(table).toContain("1,204 others");
  expect(table).toContain("Search all 1,212");
  // The others are no group that a link could show alone.
  expect(table.match(/href="[^"]*project_id=/g)).toHaveLength(8);
  const whole = show(0);
  expect(whole).not.toContain("others");
  expect(whole).not.toContain("Search all");
});
