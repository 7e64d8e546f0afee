import { expect, test } from "bun:test";
import { DAY_MS, DAY_S, HOUR_MS } from "@/lib/contract/durations";
import type { ProjectSummary } from "@/lib/contract/operations/projects/project-summaries";
import { send } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { serveGateway } from "../../support/gateways/serve-gateway";
import { createMember } from "../../support/stored-data/create-member";

type Page = { data: ProjectSummary[]; last_id: string | null; has_more: boolean };

async function serve() {
  const gateway = await serveGateway({ balance: "1000.00" });
  const list = async (query: Record<string, string> = {}, key = gateway.adminKey) => {
    const url = `${gateway.baseUrl}/organization/project_summaries?${new URLSearchParams(query)}`;
    const reply = await send(url, { key });
    return { status: reply.status, error: reply.body, ...(reply.body as unknown as Page) };
  };
  const create = async (name: string) => {
    const { id } = (await gateway.admin("POST", "/organization/projects", { name })) as { id: string };
    const { value } = (await gateway.admin("POST", `/organization/projects/${id}/api_keys`, {
      name: "program",
    })) as { value: string };
    return { id, key: value };
  };
  const call = (key: string, project?: string) =>
    send(`${gateway.baseUrl}/chat/completions`, {
      method: "POST",
      key,
      body: { model: "sandbox-echo", messages: [{ role: "user", content: "one two three" }], max_tokens: 5 },
      ...(project && { headers: { "openai-project": project } }),
    });
  const limit = (id: string, threshold_amount: number) =>
    gateway.admin("POST", `/organization/projects/${id}/spend_limit`, {
      currency: "USD",
      interval: "month",
      threshold_amount,
    });
  return { gateway, list, create, call, limit, [Symbol.asyncDispose]: () => gateway.close() };
}

const names = ({ data }: Page) => data.map(({ name }) => name);

test("each project tells what its month came to, its keys, and when it will reach its limit", async () => {
  await using served = await serve();
  const { gateway, list, create, call, limit } = served;
  const price = { input_per_1m: "100000.00", output_per_1m: "100000.00" };
  await gateway.admin("POST", "/organization/models/sandbox-echo", { price });
  const busy = await create("Busy");
  const idle = await create("Idle");
  await call(busy.key);
  gateway.pass(2 * DAY_MS);
  await call(busy.key);
  await gateway.admin("POST", `/organization/projects/${busy.id}/rate_limits/sandbox-echo`, {
    max_requests_per_1_minute: 0,
  });
  await call(busy.key);
  gateway.pass(90_000);
  await call(gateway.key);
  await limit(busy.id, 10_000);
  await until("the refusal and the key's use are written", async () => {
    const written = (await list()).data.find(({ id }) => id === busy.id);
    return written?.refusals === 1 && written.last_used_at !== null;
  });

  const { data } = await list();
  const [shown, unused] = [busy, idle].map(({ id }) => data.find((one) => one.id === id));
  expect(shown).toMatchObject({
    object: "organization.project_summary",
    name: "Busy",
    status: "active",
    currency: "USD",
    requests: 2,
    refusals: 1,
    keys: 1,
    limit_amount: "100.00",
    last_used_at: expect.any(Number),
  });
  const spent = Number(shown?.spent_amount);
  expect(spent).toBeGreaterThan(0);
  expect(Number(shown?.forecast_amount)).toBeGreaterThan(spent);
  expect(unused).toMatchObject({
    spent_amount: "0.00",
    forecast_amount: "0.00",
    limit_amount: null,
    limit_reached_at: null,
    requests: 0,
    refusals: 0,
    keys: 1,
    last_used_at: null,
  });

  await limit(busy.id, Math.ceil((spent + spent / 10) * 100));
  const now = Math.floor(gateway.runtime.clock.nowMs() / 1000);
  const near = (await list({ search: "busy" })).data[0]?.limit_reached_at ?? 0;
  expect(near).toBeGreaterThan(now);
  expect(near).toBeLessThan(now + DAY_S);
  await limit(busy.id, 0);
  expect((await list({ search: "busy" })).data[0]?.limit_reached_at).toBe(now);
});

test("projects are sorted by any figure, those without it last in both directions, page by page", async () => {
  await using served = await serve();
  const { gateway, list, create, limit } = served;
  for (const [name, cents] of [
    ["b10", 500],
    ["b9", 45_000],
    ["C", 9_050],
    ["a", null],
  ] as const) {
    const { id } = await create(name);
    if (cents !== null) await limit(id, cents);
    gateway.pass(HOUR_MS);
  }
  const unlimited = ["Default project", "a"];
  expect(names(await list({ order_by: "limit_amount" }))).toEqual(["b10", "C", "b9", ...unlimited]);
  expect(names(await list({ order_by: "limit_amount", order: "desc" }))).toEqual([
    "b9",
    "C",
    "b10",
    ...unlimited,
  ]);
  expect(names(await list({ order_by: "name" }))).toEqual(["a", "b9", "b10", "C", "Default project"]);
  const first = await list({ order_by: "limit_amount", order: "desc", limit: "2" });
  expect([names(first), first.has_more]).toEqual([["b9", "C"], true]);
  const rest = await list({
    order_by: "limit_amount",
    order: "desc",
    limit: "3",
    after: first.last_id ?? "",
  });
  expect([names(rest), rest.has_more]).toEqual([["b10", ...unlimited], false]);
  expect(names(await list({ order: "desc", limit: "1" }))).toEqual(["a"]);
  expect(names(await list({ search: "B", order_by: "name", order: "desc" }))).toEqual(["b10", "b9"]);
  expect((await list({ order_by: "spend" })).status).toBe(400);
  expect((await list({ after: "proj_none" })).status).toBe(400);
});

test("archived projects are listed apart", async () => {
  await using served = await serve();
  const { gateway, list, create } = served;
  const { id } = await create("Old");
  await gateway.admin("POST", `/organization/projects/${id}/archive`, {});
  expect(names(await list())).toEqual(["Default project"]);
  expect((await list({ status: "archived" })).data).toMatchObject([
    { name: "Old", status: "archived", keys: 0 },
  ]);
  expect(names(await list({ status: "all" }))).toEqual(["Default project", "Old"]);
});

test("who sees a project without its money, limits or keys sees no figures of these", async () => {
  await using served = await serve();
  const { gateway, list, create } = served;
  await create("Other");
  const hidden = { spent_amount: null, forecast_amount: null, requests: null, refusals: null };
  const roles = [{ roleId: "role_project_member", projectId: gateway.projectId }];
  let token = "";
  await gateway.restart(async () => {
    ({ token } = await createMember(gateway.dataFolder, "ada", roles, gateway.runtime));
  });
  expect((await list({}, token)).data).toMatchObject([
    {
      id: gateway.projectId,
      ...hidden,
      limit_amount: null,
      limit_reached_at: null,
      keys: null,
      last_used_at: null,
    },
  ]);
});

test("of 501 projects the last page has one, and a search finds the last", async () => {
  await using served = await serve();
  const { gateway, list } = served;
  for (let made = 1; made <= 500; made++)
    await gateway.admin("POST", "/organization/projects", { name: `Project ${made}` });
  const first = await list({ order_by: "name", limit: "500" });
  expect([first.data.length, first.has_more]).toEqual([500, true]);
  const last = await list({ order_by: "name", limit: "500", after: first.last_id ?? "" });
  expect([names(last), last.has_more]).toEqual([["Project 500"], false]);
  expect(names(await list({ search: "project 499" }))).toEqual(["Project 499"]);
});
