import { expect, test } from "bun:test";
import { HOUR_MS, HOUR_S } from "@/lib/contract/durations";
import type { UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { send } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { serveGateway } from "../../support/gateways/serve-gateway";

type Part = Pick<UsageSummary, "buckets" | "series">;

async function serveSummaries() {
  const gateway = await serveGateway({ isExpectedFault: isProviderFault });
  const summarize = async (query: Record<string, string>) => {
    const url = `${gateway.baseUrl}/organization/usage_summary?${new URLSearchParams(query)}`;
    const reply = await send(url, { key: gateway.adminKey });
    return { ...reply, summary: reply.body as unknown as UsageSummary };
  };
  const call = (model: string) => {
    const body = { model, messages: [{ role: "user", content: "one two three" }], max_tokens: 5 };
    return send(`${gateway.baseUrl}/chat/completions`, { method: "POST", key: gateway.key, body });
  };
  return { gateway, summarize, call };
}

test("series have the values of every bucket, also those without a call, in place of buckets", async () => {
  const { gateway, summarize, call } = await serveSummaries();
  await call("sandbox-echo");
  gateway.pass(30 * HOUR_MS);
  await call("sandbox-echo");
  await call("sandbox-500");
  gateway.pass(2 * HOUR_MS);
  await call("sandbox-echo");
  const query = { group_by: "model", bucket_width: "1h" };
  const { summary: whole } = await summarize(query);
  const { summary } = await summarize({ ...query, series: "amount,requests,duration_p95_ms" });
  const first = whole.start_time - (whole.start_time % HOUR_S);
  const times = Array.from({ length: 25 }, (_, hour) => first + hour * HOUR_S);
  const expectSeriesOf = (part: Part | null, series: Part["series"], starts = times) => {
    const known = new Map(part?.buckets.map((bucket) => [bucket.start_time, bucket]));
    expect(series).toEqual({
      amount: starts.map((time) => known.get(time)?.amount ?? "0.00"),
      requests: starts.map((time) => known.get(time)?.requests ?? 0),
      duration_p95_ms: starts.map((time) => known.get(time)?.duration_p95_ms ?? null),
    });
  };
  expect(summary.series?.requests?.filter((calls) => calls > 0)).toEqual([2, 1]);
  expectSeriesOf(whole, summary.series);
  const shift = whole.start_time - (whole.previous?.start_time ?? 0);
  expectSeriesOf(
    whole.previous,
    summary.previous?.series,
    times.map((time) => time - shift),
  );
  expect(summary.groups).toHaveLength(2);
  for (const [index, group] of summary.groups.entries()) {
    expectSeriesOf(whole.groups[index] ?? null, group.series);
    expect(group.buckets).toEqual([]);
    expect(group.totals).toEqual(whole.groups[index]?.totals as typeof group.totals);
  }
  expect([summary.buckets, summary.previous?.buckets]).toEqual([[], []]);
  expect(whole).not.toHaveProperty("series");
  const { summary: inOne } = await summarize({ ...query, bucket_width: "range", series: "requests" });
  expect(inOne.series).toEqual({ requests: [3] });
  for (const series of ["colour", "amount,", "amount,colour", ""]) {
    const { status, error } = await summarize({ series });
    expect([status, error.param]).toEqual([400, "series"]);
  }
  await gateway.close();
});
