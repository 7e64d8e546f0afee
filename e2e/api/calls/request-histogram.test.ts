import { expect, test } from "bun:test";
import type { RequestHistogram } from "@/lib/contract/operations/calls/requests";
import { send } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { serveGateway } from "../../support/gateways/serve-gateway";

test("calls are counted over time by outcome, refusals that no list holds too, and what they cost", async () => {
  const gateway = await serveGateway({ isExpectedFault: isProviderFault });
  const call = (model: string) => {
    const body = { model, messages: [{ role: "user", content: "one two three" }], max_tokens: 5 };
    return send(`${gateway.baseUrl}/chat/completions`, { method: "POST", key: gateway.key, body });
  };
  const histogram = (query: Record<string, string>, key = gateway.adminKey) =>
    send(`${gateway.baseUrl}/organization/request_histogram?${new URLSearchParams(query)}`, { key });
  const count = async (query: Record<string, string>) => {
    const { status, body } = await histogram(query);
    expect([query, status]).toEqual([query, 200]);
    return body as unknown as RequestHistogram;
  };
  expect((await count({})).buckets).toEqual([]);
  await call("sandbox-echo");
  gateway.pass(90_000);
  await call("sandbox-500");
  gateway.pass(90_000);
  await gateway.setLimits("sandbox-chat", { max_requests_per_1_minute: 0 });
  // Refusals are written when the store is idle, and at the latest before the next charge.
  for (let refusal = 0; refusal < 25; refusal++) await call("sandbox-chat");
  gateway.pass(90_000);
  await call("sandbox-echo");

  const all = await count({});
  expect(all.totals).toMatchObject({
    completed: 2,
    provider_failed: 1,
    refused: 25,
    in_progress: 0,
    amount: "0.000009",
  });
  expect(all).toMatchObject({ is_counted: true, currency: "USD", bucket_seconds: 60 });
  expect(
    all.buckets.map(({ completed, provider_failed, refused }) => [completed, provider_failed, refused]),
  ).toEqual([
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 25],
    [1, 0, 0],
  ]);
  for (const { start_time } of all.buckets) {
    expect((start_time - all.start_time) % all.bucket_seconds).toBe(0);
    expect(start_time).toBeLessThan(all.end_time);
  }
  expect((await count({ model: "sandbox-500" })).totals).toMatchObject({
    completed: 0,
    provider_failed: 1,
    refused: 0,
  });
  expect((await count({ outcome: "refused", model: "sandbox-chat" })).totals).toMatchObject({ refused: 25 });
  expect((await count({ project_id: "proj_none" })).buckets).toEqual([]);
  const newest = String(all.buckets.at(-1)?.start_time);
  expect((await count({ start_time: newest })).totals).toMatchObject({ completed: 1, refused: 0 });
  // Even years are counted in no more buckets than hours are.
  expect((await count({ start_time: "0" })).bucket_seconds).toBeGreaterThan(604_800);
  const refused = await histogram({ after: "x" });
  expect([refused.status, refused.error.param]).toEqual([400, "after"]);
  expect((await histogram({}, gateway.key)).error.permission).toBe("api.requests.read");
  await gateway.close();
});
