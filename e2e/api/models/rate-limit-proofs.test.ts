import { expect, test } from "bun:test";
import type { RateLimitField, RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import type { LimitProof, RunningLimitProof } from "@/lib/contract/operations/models/rate-limit-proofs";
import { until } from "../../support/clients/until";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
serveForAll((served) => {
  gateway = served;
});

const MODEL = "sandbox-chat";
const path = () => `/organization/projects/${gateway.projectId}/rate_limits/${MODEL}`;
const unlimited = {
  max_requests_per_1_minute: 600,
  max_tokens_per_1_minute: 1_000_000,
  max_requests_per_1_day: null,
  max_images_per_1_minute: null,
};
const set = (limits: Partial<RateLimitValues>) => gateway.admin("POST", path(), { ...unlimited, ...limits });
const prove = (field: RateLimitField) => gateway.admin<LimitProof>("POST", `${path()}/prove`, { field });

const send = (field: RateLimitField, signal: AbortSignal | null = null) =>
  fetch(`${gateway.baseUrl}${path()}/prove`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.adminKey}`, "content-type": "application/json" },
    body: JSON.stringify({ field }),
    signal,
  });

test("a saved limit on requests admits exactly as many calls as it says, and the ledger is back at zero", async () => {
  await set({ max_requests_per_1_minute: 60 });
  const balance = await gateway.admin("GET", "/organization/balance");
  const proof = await prove("max_requests_per_1_minute");
  expect(proof).toMatchObject({
    verdict: "held",
    limit: 60,
    admitted: 60,
    refused: 5,
    admitted_amount: 60,
    refused_by: [{ code: "max_requests_per_1_minute", calls: 5 }],
    ledger: { held: "0.00", held_calls: 0, charged: "0.00" },
  });
  expect(await gateway.admin("GET", "/organization/balance")).toEqual(balance);
});

test("limits on tokens, images and a day's requests are proved, too, and one of 0 lets nothing through", async () => {
  await set({ max_tokens_per_1_minute: 50_001, max_requests_per_1_day: 40, max_images_per_1_minute: 7 });
  expect(await prove("max_requests_per_1_day")).toMatchObject({ verdict: "held", admitted: 40 });
  const tokens = await prove("max_tokens_per_1_minute");
  expect(tokens).toMatchObject({ verdict: "held", refused_by: [{ code: "max_tokens_per_1_minute" }] });
  expect(tokens.admitted_amount).toBeLessThanOrEqual(50_001);
  expect(tokens.admitted_amount).toBeGreaterThan(47_000);
  expect(await prove("max_images_per_1_minute")).toMatchObject({ verdict: "held", admitted_amount: 7 });
  await set({ max_requests_per_1_minute: 0 });
  expect(await prove("max_requests_per_1_minute")).toMatchObject({
    verdict: "held",
    admitted: 0,
    refused: 5,
  });
});

test("a proof takes nothing of the project's own limits", async () => {
  await set({ max_requests_per_1_minute: 1 });
  expect(await prove("max_requests_per_1_minute")).toMatchObject({ admitted: 1 });
  const call = () =>
    fetch(`${gateway.baseUrl}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: MODEL, messages: [{ role: "user", content: "hi" }] }),
    }).then(async (response) => (await response.text(), response.status));
  expect([await call(), await call()]).toEqual([200, 429]);
});

test("the scratch project is archived, its key revoked, and the audit log says who proved what", async () => {
  await set({ max_requests_per_1_minute: 2 });
  const { scratch } = await prove("max_requests_per_1_minute");
  const project = await gateway.admin<{ status: string }>(
    "GET",
    `/organization/projects/${scratch.project_id}`,
  );
  expect(project.status).toBe("archived");
  const { data: keys } = await gateway.admin<{ data: object[] }>(
    "GET",
    `/organization/projects/${scratch.project_id}/api_keys`,
  );
  expect(keys).toEqual([]);
  const { data: events } = await gateway.admin<{ data: { type: string }[] }>(
    "GET",
    "/organization/audit_logs?limit=2",
  );
  expect(events.map(({ type }) => type)).toEqual(["rate_limit.proof_ended", "rate_limit.proved"]);
});

test("what can't be proved is refused with the reason", async () => {
  await set({ max_requests_per_1_minute: 5_000, max_requests_per_1_day: 300 });
  const refusal = async (field: RateLimitField) => {
    const response = await send(field);
    const { error } = (await response.json()) as { error: { message: string } };
    return [response.status, error.message];
  };
  expect(await refusal("max_requests_per_1_minute")).toEqual([
    400,
    expect.stringContaining("too high to prove"),
  ]);
  expect(await refusal("max_images_per_1_minute")).toEqual([400, expect.stringContaining("is no limit")]);
  await set({ max_requests_per_1_minute: 500, max_requests_per_1_day: 300 });
  expect(await refusal("max_requests_per_1_minute")).toEqual([
    400,
    expect.stringContaining("max_requests_per_1_day is 300 and refuses calls before"),
  ]);
});

test("one limit is proved at a time, in sight of who may read limits, and ends early once nobody waits", async () => {
  await set({ max_requests_per_1_minute: 300 });
  const statuses = await Promise.all(
    [1, 2, 3].map(async () => (await send("max_requests_per_1_minute")).status),
  );
  expect(statuses.toSorted()).toEqual([200, 409, 409]);
  const leaving = new AbortController();
  const left = send("max_requests_per_1_minute", leaving.signal).catch(() => null);
  const running = () => gateway.admin<RunningLimitProof>("GET", `${path()}/running_proof`);
  await until("it runs", async () => ((await running()).running?.admitted ?? 0) > 0);
  expect((await running()).running).toMatchObject({ model: MODEL, limit: 300, calls: 319 });
  leaving.abort();
  await left;
  await until("it has ended", async () => (await running()).running === null);
  const { data } = await gateway.admin<{ data: { type: string }[] }>(
    "GET",
    "/organization/audit_logs?limit=1",
  );
  expect(data).toMatchObject([{ type: "rate_limit.proof_ended" }]);
});
