import { expect, test } from "bun:test";
import type { RateLimitField } from "@/lib/contract/calls/rate-limit-table";
import { HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import type { LimitReplay } from "@/lib/contract/operations/models/rate-limit-replay";
import { send } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
serveForAll((served) => {
  gateway = served;
});

const MODEL = "sandbox-echo";

async function call(): Promise<number> {
  gateway.pass(10);
  const response = await fetch(`${gateway.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: MODEL, messages: [{ role: "user", content: "hi" }] }),
  });
  await response.text();
  return response.status;
}

const set = (limits: Partial<Record<RateLimitField, number>>) =>
  gateway.admin("POST", `/organization/projects/${gateway.projectId}/rate_limits/${MODEL}`, limits);
const replay = (limits: object, days = 1) =>
  gateway.admin<LimitReplay>("POST", "/organization/rate_limits/replay", {
    changes: [{ project_id: gateway.projectId, model: MODEL, ...limits }],
    days,
  });

test("it says which of the last calls drafted limits would have refused, and which they would have let through", async () => {
  await set({ max_requests_per_1_minute: 4 });
  const statuses: number[] = [];
  for (let number = 0; number < 20; number++) statuses.push(await call());
  expect(statuses.filter((status) => status === 200).length).toBe(4);
  gateway.pass(2 * MINUTE_MS);
  await until(
    "all calls are logged",
    async () => (await replay({ max_requests_per_1_minute: 4 })).calls === 20,
  );

  expect(await replay({ max_requests_per_1_minute: 4 })).toMatchObject({
    calls: 20,
    newly_refused: 0,
    newly_let_through: 0,
    still_refused: 16,
    unknown: {
      refusals: 16,
      refusals_without_time: 0,
      sentence: expect.stringContaining("16 calls were refused"),
    },
  });
  expect(await replay({ max_requests_per_1_minute: 9 })).toMatchObject({
    newly_refused: 0,
    newly_let_through: 5,
    still_refused: 11,
    keys: [{ key_name: "Test", newly_refused: 0, newly_let_through: 5 }],
  });
  const lower = await replay({ max_requests_per_1_minute: 1 });
  expect(lower).toMatchObject({ newly_refused: 3, newly_let_through: 0, still_refused: 16 });
  expect(lower.changes[0]).toMatchObject({
    spans: [{ calls: 3 }],
    least_values: { max_requests_per_1_minute: 20 },
    examples: [
      { refused_by: "max_requests_per_1_minute" },
      { refused_by: "max_requests_per_1_minute" },
      { refused_by: "max_requests_per_1_minute" },
    ],
  });
  const { request_id } = lower.changes[0]?.examples[0] ?? { request_id: "" };
  const receipt = await gateway.admin<{ request: object }>("GET", `/organization/requests/${request_id}`);
  expect(JSON.stringify(receipt)).toContain(`"id":"${request_id}"`);
  const hours = lower.histogram.filter((hour) => hour.newly_refused > 0);
  expect(hours).toMatchObject([{ newly_refused: 3, newly_let_through: 0 }]);
  expect(lower.histogram.length).toBeOneOf([24, 25]);

  gateway.pass(26 * HOUR_MS);
  expect(await replay({ max_requests_per_1_minute: 1 })).toMatchObject({ calls: 0, newly_refused: 0 });
  expect(await replay({ max_requests_per_1_minute: 1 }, 3)).toMatchObject({ calls: 20, newly_refused: 3 });
});

test("a replay is asked by its caller's own name how far it has come; one that has ended is unknown", async () => {
  const progress = (key: string, id: string) =>
    send(`${gateway.baseUrl}/organization/rate_limits/replay?progress_id=${id}`, { key });
  await gateway.admin("POST", "/organization/rate_limits/replay", {
    changes: [{ project_id: gateway.projectId, model: MODEL, max_requests_per_1_minute: 4 }],
    days: 1,
    progress_id: "review-12",
  });
  expect(await progress(gateway.adminKey, "review-12")).toMatchObject({
    status: 200,
    body: { percent: null },
  });
  expect(await progress(gateway.adminKey, "x")).toMatchObject({
    status: 400,
    error: { param: "progress_id" },
  });
  expect(await progress(gateway.key, "review-12")).toMatchObject({ status: 403 });
});
