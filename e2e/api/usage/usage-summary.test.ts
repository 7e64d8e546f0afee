import { expect, test } from "bun:test";
import { DAY_S, HOUR_MS } from "@/lib/contract/durations";
import type { UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { fetchWithKey, send } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { serveGateway } from "../../support/gateways/serve-gateway";
import { createMember } from "../../support/stored-data/create-member";

async function serveUsage() {
  const gateway = await serveGateway({ isExpectedFault: isProviderFault });
  const path = `${gateway.baseUrl}/organization/usage_summary`;
  const summarize = async (query: Record<string, string> = {}, key = gateway.adminKey, url = path) => {
    const reply = await send(`${url}?${new URLSearchParams(query)}`, { key });
    return { ...reply, summary: reply.body as unknown as UsageSummary };
  };
  const call = (model: string, key = gateway.key) => {
    const body = { model, messages: [{ role: "user", content: "one two three" }], max_tokens: 5 };
    return send(`${gateway.baseUrl}/chat/completions`, { method: "POST", key, body });
  };
  const own = `${gateway.baseUrl}/organization/me/usage_summary`;
  return { gateway, summarize, call, own };
}

test("usage is summed over time and by group, refusals and failures too, beside the period before", async () => {
  const { gateway, summarize, call } = await serveUsage();
  await call("sandbox-echo");
  gateway.pass(24 * HOUR_MS);
  await call("sandbox-echo");
  await call("sandbox-echo");
  await call("sandbox-500");
  await gateway.setLimits("sandbox-chat", { max_requests_per_1_minute: 0 });
  for (let refusal = 0; refusal < 25; refusal++) await call("sandbox-chat");
  gateway.pass(90_000);
  await call("sandbox-echo");
  await until("the refusals are written", async () => {
    const { refusals } = (await summarize()).summary.totals;
    return refusals === 25;
  });

  const { summary } = await summarize({ group_by: "model", order_by: "requests" });
  expect(summary.totals).toMatchObject({ requests: 4, errors: 1, refusals: 25 });
  expect(summary.previous?.totals).toMatchObject({ requests: 1, errors: 0, refusals: 0 });
  expect(summary.currency).toBe("USD");
  const none = {
    duration_p50_ms: null,
    duration_p95_ms: null,
    first_byte_p50_ms: null,
    first_byte_p95_ms: null,
  };
  const without = (buckets: UsageSummary["buckets"]) => buckets.map((bucket) => ({ ...bucket, ...none }));
  expect(summary.totals.duration_p95_ms).not.toBeNull();
  const asked = { group_by: "model", order_by: "requests" };
  const { summary: ofTotals } = await summarize({ ...asked, latencies: "totals" });
  expect(ofTotals.totals).toEqual(summary.totals);
  expect(ofTotals.groups.map(({ totals }) => totals)).toEqual(summary.groups.map(({ totals }) => totals));
  expect(ofTotals.buckets).toEqual(without(summary.buckets));
  const { summary: ofNone } = await summarize({ ...asked, latencies: "none" });
  expect(ofNone.totals).toEqual({ ...summary.totals, ...none });
  expect(ofNone.previous?.buckets).toEqual(without(summary.previous?.buckets ?? []));
  expect((await summarize({ latencies: "some" })).status).toBe(400);
  const { summary: alone } = await summarize({ ...asked, previous: "false" });
  expect(alone).toEqual({
    ...summary,
    previous: null,
    groups: summary.groups.map((group) => ({ ...group, previous_totals: null })),
  });
  const { summary: inOne } = await summarize({ ...asked, latencies: "none", bucket_width: "range" });
  expect(inOne.bucket_seconds).toBe(inOne.end_time - inOne.start_time);
  expect(inOne.buckets).toEqual([{ start_time: inOne.start_time, ...inOne.totals }]);
  const startBefore = inOne.start_time - inOne.bucket_seconds;
  expect(inOne.previous?.buckets as unknown[]).toEqual([
    { start_time: startBefore, ...inOne.previous?.totals },
  ]);
  expect(inOne.groups.map(({ id, totals, buckets }) => [id, totals, buckets])).toEqual(
    ofNone.groups.map(({ id, totals }) => [id, totals, [{ start_time: inOne.start_time, ...totals }]]),
  );
  const charges = await gateway.admin<{ data: { amount: string; prompt_tokens: number }[] }>(
    "GET",
    "/organization/ledger?kind=charge",
  );
  const [prompt] = charges.data.map(({ prompt_tokens }) => prompt_tokens);
  expect(summary.totals.prompt_tokens).toBe(3 * (prompt ?? 0));
  const costs = await gateway.admin<{ data: { results: { amount: { value: number } }[] }[] }>(
    "GET",
    `/organization/costs?start_time=${summary.start_time}&end_time=${summary.end_time}`,
  );
  const cost = costs.data
    .flatMap(({ results }) => results)
    .reduce((sum, { amount }) => sum + amount.value, 0);
  expect(Number(summary.totals.amount)).toBeCloseTo(cost, 12);
  expect(
    summary.groups.map(({ id, totals }) => [id, totals.requests, totals.errors, totals.refusals]),
  ).toEqual([
    ["sandbox-echo", 3, 0, 0],
    ["sandbox-500", 1, 1, 0],
    ["sandbox-chat", 0, 0, 25],
  ]);
  expect(summary.groups[0]?.previous_totals?.requests).toBe(1);
  expect(summary.rest).toBeNull();
  const ofBuckets = summary.buckets.reduce((sum, { requests }) => sum + requests, 0);
  expect(ofBuckets).toBe(4);
  for (const { start_time } of summary.buckets) expect(start_time % summary.bucket_seconds).toBe(0);
  expect(summary.totals.duration_p50_ms).not.toBeNull();

  const one = await summarize({ model: "sandbox-500" });
  expect(one.summary.totals).toMatchObject({ requests: 1, errors: 1, refusals: 0, amount: "0.00" });
  await gateway.close();
});

test("a reader of one project's usage sees that project's; every member sees their own usage, and no other member's", async () => {
  const { gateway, summarize, call, own } = await serveUsage();
  const other = await gateway.admin<{ id: string }>("POST", "/organization/projects", { name: "Other" });
  const { value: otherKey } = await gateway.admin<{ value: string }>(
    "POST",
    `/organization/projects/${other.id}/api_keys`,
    { name: "Other" },
  );
  await call("sandbox-echo");
  await call("sandbox-echo", otherKey);
  let viewer = "";
  let nobody = "";
  await gateway.restart(async () => {
    const { dataFolder, runtime } = gateway;
    const role = { roleId: "role_project_viewer", projectId: gateway.projectId };
    viewer = (await createMember(dataFolder, "viewer", [role], runtime)).token;
    nobody = (await createMember(dataFolder, "nobody", [], runtime)).token;
  });
  expect((await summarize({ group_by: "project_id" })).summary.groups.map(({ name }) => name)).toContain(
    "Other",
  );
  const seen = await summarize({ group_by: "project_id" }, viewer);
  expect(seen.summary.groups.map(({ id }) => id)).toEqual([gateway.projectId]);
  expect(seen.summary.totals.requests).toBe(1);
  expect((await summarize({ project_id: other.id }, viewer)).summary.totals.requests).toBe(0);
  expect((await summarize({}, nobody)).error.permission).toBe("api.usage.read");
  expect((await summarize({}, nobody, own)).summary.totals.requests).toBe(0);
  expect((await summarize({}, otherKey, own)).summary.totals.requests).toBe(1);
  await gateway.close();
});

test("every bucket and group is listed page by page, and downloaded whole", async () => {
  const { gateway, call } = await serveUsage();
  await call("sandbox-echo");
  await call("sandbox-500");
  gateway.pass(2 * HOUR_MS);
  await call("sandbox-echo");
  const path = "/organization/usage_sums?group_by=model&bucket_width=1h";
  interface Page {
    data: { id: string; group_id: string; requests: number }[];
    has_more: boolean;
    last_id: string;
  }
  const whole = await gateway.admin<Page>("GET", path);
  expect(whole.data.map(({ group_id, requests }) => [group_id, requests])).toEqual([
    ["sandbox-500", 1],
    ["sandbox-echo", 1],
    ["sandbox-echo", 1],
  ]);
  const first = await gateway.admin<Page>("GET", `${path}&limit=2`);
  expect([first.data, first.has_more]).toEqual([whole.data.slice(0, 2), true]);
  const rest = await gateway.admin<Page>("GET", `${path}&limit=2&after=${first.last_id}`);
  expect([rest.data, rest.has_more]).toEqual([whole.data.slice(2), false]);
  const range = "/organization/usage_sums?group_by=model&bucket_width=range";
  const totals = await gateway.admin<Page & { data: { start_time: number; end_time: number }[] }>(
    "GET",
    range,
  );
  expect(totals.data.map(({ group_id, requests }) => [group_id, requests])).toEqual([
    ["sandbox-500", 1],
    ["sandbox-echo", 2],
  ]);
  for (const { start_time, end_time } of totals.data) expect(end_time - start_time).toBe(DAY_S);
  const last = await gateway.admin<Page>("GET", `${range}&limit=1&after=${totals.data[0]?.id}`);
  expect([last.data, last.has_more]).toEqual([totals.data.slice(1), false]);
  const csv = await fetchWithKey(`${gateway.baseUrl}${path}`, {
    key: gateway.adminKey,
    headers: { accept: "text/csv" },
  });
  expect((await csv.text()).trim().split("\n")).toHaveLength(4);
  await gateway.close();
});

test("sums by key end with each key's project, in the CSV too", async () => {
  const { gateway, call } = await serveUsage();
  await call("sandbox-echo");
  const path = "/organization/usage_sums?group_by=api_key_id&bucket_width=range";
  type Sum = { group_id: string; project_id: string | null; project_name: string | null };
  const { data } = await gateway.admin<{ data: Sum[] }>("GET", path);
  const { data: projects } = await gateway.admin<{ data: { id: string; name: string }[] }>(
    "GET",
    "/organization/projects",
  );
  const project = projects.find(({ id }) => id === data[0]?.project_id);
  expect(project).toBeDefined();
  expect(data.map(({ project_name }) => project_name)).toEqual([project?.name ?? ""]);
  const readCsv = async (address: string) => {
    const csv = await fetchWithKey(`${gateway.baseUrl}${address}`, {
      key: gateway.adminKey,
      headers: { accept: "text/csv" },
    });
    return (await csv.text())
      .trim()
      .split(/\r?\n/)
      .map((line) => line.split(",").slice(-3));
  };
  expect(await readCsv(path)).toEqual([
    ["currency", "project_id", "project_name"],
    ["USD", project?.id ?? "", project?.name ?? ""],
  ]);
  expect((await readCsv(path.replace("api_key_id", "model")))[1]).toEqual(["USD", "", ""]);
  await gateway.close();
});

test("an empty or too finely divided range and unknown values are refused by name", async () => {
  const { gateway, summarize } = await serveUsage();
  const refused = async (query: Record<string, string>) => {
    const { status, error } = await summarize(query);
    return [status, error.param];
  };
  expect(await refused({ start_time: "200", end_time: "200" })).toEqual([400, "end_time"]);
  expect(await refused({ start_time: "0", bucket_width: "1m" })).toEqual([400, "bucket_width"]);
  expect(await refused({ group_by: "colour" })).toEqual([400, "group_by"]);
  expect(await refused({ after: "x" })).toEqual([400, "after"]);
  expect((await summarize({ start_time: "0" })).summary.bucket_seconds).toBe(DAY_S);
  await gateway.close();
});
