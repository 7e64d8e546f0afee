import { expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import type { LimitUsage, NearLimit } from "@/lib/contract/operations/usage/limit-usage";
import { fetchWithKey, send } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { createMember } from "../../support/stored-data/create-member";

let gateway: ServedGateway;
serveForEach((served) => {
  gateway = served;
});

const call = (model = "sandbox-echo") =>
  send(`${gateway.baseUrl}/chat/completions`, {
    method: "POST",
    key: gateway.key,
    body: { model, messages: [{ role: "user", content: "one two" }] },
  });

/** Refusals are written behind their replies. */
const refusalsWritten = (count: number) =>
  until(`${count} refusals are written`, async () => {
    const limits = (await usage()).flatMap((pair) => pair.limits);
    return limits.reduce((sum, { refused_1_day }) => sum + refused_1_day, 0) === count;
  });

async function usage(query = "", key = gateway.adminKey): Promise<LimitUsage[]> {
  const { status, body } = await send(`${gateway.baseUrl}/organization/limits/usage?${query}`, { key });
  expect(status).toBe(200);
  return (body as unknown as { data: LimitUsage[] }).data;
}
const near = (query = "", key = gateway.adminKey) =>
  send(`${gateway.baseUrl}/organization/limits/near?${query}`, { key });
async function readRequests(model = "sandbox-echo") {
  const found = (await usage(`model=${model}`))[0]?.limits;
  return found?.find(({ field }) => field === "max_requests_per_1_minute");
}

test("lists present use, peaks and refusals, without limits that were never used", async () => {
  expect(await usage()).toEqual([]);
  await gateway.setLimits("sandbox-echo", { max_requests_per_1_minute: 2 });
  for (const status of [200, 200, 429, 429, 429]) expect((await call()).status).toBe(status);
  await refusalsWritten(3);
  expect(await readRequests()).toEqual({
    field: "max_requests_per_1_minute",
    max: 2,
    used: 2,
    peak_1_day: 2,
    peak_7_days: 2,
    refused_1_day: 3,
    refused_7_days: 3,
  });
  const [first] = await usage();
  expect(first).toMatchObject({ project_id: gateway.projectId, model: "sandbox-echo" });
  expect(first?.limits.map(({ field }) => field)).not.toContain("max_images_per_1_minute");
});

test("peaks outlive what was used, and a restart; after a week they are forgotten", async () => {
  for (let calls = 0; calls < 3; calls++) await call();
  await gateway.restart();
  expect(await readRequests()).toMatchObject({ used: 3, peak_1_day: 3 });
  gateway.pass(2 * MINUTE_MS);
  expect(await readRequests()).toMatchObject({ used: 0, peak_1_day: 3, peak_7_days: 3 });
  gateway.pass(26 * HOUR_MS);
  expect(await readRequests()).toMatchObject({ used: 0, peak_1_day: 0, peak_7_days: 3 });
  gateway.pass(9 * DAY_MS);
  expect(await readRequests()).toBeUndefined();
});

test("pairs near their limit are found by usage and by refusals", async () => {
  await gateway.setLimits("sandbox-echo", { max_requests_per_1_minute: 5 });
  for (let calls = 0; calls < 3; calls++) await call();
  expect(await usage("near=true")).toEqual([]);
  await call();
  expect((await usage("near=true")).map(({ model }) => model)).toEqual(["sandbox-echo"]);
  await gateway.setLimits("sandbox-chat", { max_requests_per_1_minute: 0 });
  expect((await call("sandbox-chat")).status).toBe(429);
  await refusalsWritten(1);
  expect((await usage("near=true")).map(({ model }) => model)).toEqual(["sandbox-chat", "sandbox-echo"]);
});

test("near limits are counted and listed by severity, page by page, without those of which little was used", async () => {
  await gateway.setLimits("sandbox-echo", { max_requests_per_1_minute: 5, max_requests_per_1_day: 4 });
  await gateway.setLimits("sandbox-slow", { max_requests_per_1_minute: 0 });
  await gateway.setLimits("sandbox-chat", { max_requests_per_1_minute: 1 });
  for (let calls = 0; calls < 4; calls++) await call();
  for (let calls = 0; calls < 3; calls++) await call("sandbox-chat");
  expect((await call("sandbox-slow")).status).toBe(429);
  await refusalsWritten(3);
  const { body } = await near();
  const { data, total } = body as unknown as { data: NearLimit[]; total: number };
  expect(total).toBe(4);
  expect(
    data.map(({ model, refused_1_day, peak_1_day, max }) => [model, refused_1_day, peak_1_day, max]),
  ).toEqual([
    ["sandbox-chat", 2, 1, 1],
    ["sandbox-slow", 1, 0, 0],
    ["sandbox-echo", 0, 4, 4],
    ["sandbox-echo", 0, 4, 5],
  ]);
  const { body: rest } = await near(`limit=1&after=${encodeURIComponent(data[0]?.id ?? "")}`);
  expect(rest).toMatchObject({ data: [data[1]], total: 4, has_more: true });
  expect((await near("near=true")).status).toBe(400);
});

test("near limits of a project end with its archiving", async () => {
  await gateway.setLimits("sandbox-echo", { max_requests_per_1_minute: 1 });
  for (const status of [200, 429]) expect((await call()).status).toBe(status);
  await refusalsWritten(1);
  expect((await near()).body).toMatchObject({ total: 1 });
  await gateway.admin("POST", `/organization/projects/${gateway.projectId}/archive`);
  expect((await near()).body).toMatchObject({ data: [], total: 0 });
});

test("shows a holder of the permission in one project that project only", async () => {
  await gateway.setLimits("sandbox-echo", { max_requests_per_1_minute: 1 });
  await call();
  const { id } = await gateway.admin<{ id: string }>("POST", "/organization/projects", { name: "Other" });
  let token = "";
  await gateway.restart(async () => {
    const roles = [{ roleId: "role_project_viewer", projectId: id }];
    token = (await createMember(gateway.dataFolder, "viewer", roles, gateway.runtime)).token;
  });
  expect(await usage("", token)).toEqual([]);
  expect((await near("", token)).body).toMatchObject({ data: [], total: 0 });
  expect((await near()).body).toMatchObject({ total: 1 });
  expect(await usage(`project_id=${gateway.projectId}`, token)).toEqual([]);
  expect(await usage(`project_id=${gateway.projectId}`)).toHaveLength(1);
});

test("events begin with the list and continue with its changes", async () => {
  await call();
  const abort = new AbortController();
  const reply = await fetchWithKey(`${gateway.baseUrl}/organization/limits/usage`, {
    key: gateway.adminKey,
    headers: { accept: "text/event-stream" },
    signal: abort.signal,
  });
  expect(reply.headers.get("content-type")).toStartWith("text/event-stream");
  const events: LimitUsage[][] = [];
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of reply.body as ReadableStream<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const parts = text.split("\n\n");
    text = parts.pop() ?? "";
    for (const part of parts) {
      const data = part.split("\n").find((line) => line.startsWith("data: "));
      if (!data) continue;
      events.push((JSON.parse(data.slice(6)) as { data: LimitUsage[] }).data);
      if (events.length === 1) await call("sandbox-chat");
    }
    if (events.length === 2) break;
  }
  abort.abort();
  expect(events.map((data) => data.map(({ model }) => model))).toEqual([["sandbox-echo"], ["sandbox-chat"]]);
});
