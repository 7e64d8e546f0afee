import { afterAll, beforeAll, expect, test } from "bun:test";
import type { LoggedRequest, UnlistedRefusals } from "@/lib/contract/operations/calls/requests";
import { joinMember } from "../../support/clients/join-member";
import { buildRequest, send } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";

interface Page {
  readonly data: readonly LoggedRequest[];
  readonly unlisted_refusals: readonly UnlistedRefusals[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly has_more: boolean;
}

const LIMIT = "max_requests_per_1_minute";
let gateway: ServedGateway;
let other: { projectId: string; key: string; keyId: string };
/** The ids of the calls made in `beforeAll`, by outcome. */
const made: Record<string, string> = {};

const call = async (key: string, model: string, headers: Record<string, string> = {}) => {
  const body = { model, messages: [{ role: "user", content: "one two three" }], max_tokens: 5 };
  const reply = await send(`${gateway.baseUrl}/chat/completions`, { method: "POST", key, body, headers });
  return reply.headers.get("x-request-id") ?? "";
};
const list = async (query: Record<string, string> = {}, key = gateway.adminKey): Promise<Page> => {
  const path = `${gateway.baseUrl}/organization/requests?${new URLSearchParams(query)}`;
  const { status, body } = await send(path, { key });
  expect([query, status]).toEqual([query, 200]);
  return body as unknown as Page;
};
const listIds = ({ data }: Page) => data.map(({ id }) => id);

beforeAll(async () => {
  gateway = await serveGateway({ isExpectedFault: isProviderFault });
  const { id: projectId } = await gateway.admin<{ id: string }>("POST", "/organization/projects", {
    name: "Other",
  });
  const keys = `/organization/projects/${projectId}/api_keys`;
  const { id: keyId, value: key } = await gateway.admin<{ id: string; value: string }>("POST", keys, {
    name: "site",
  });
  other = { projectId, key, keyId };
  made.first = await call(gateway.key, "sandbox-echo");
  gateway.pass(90_000);
  made.failed = await call(gateway.key, "sandbox-500");
  gateway.pass(90_000);
  await gateway.setLimits("sandbox-chat", { [LIMIT]: 0 });
  // Refusals are written when the store is idle, and at the latest before the next charge.
  for (let refusal = 0; refusal < 25; refusal++) made.refused = await call(gateway.key, "sandbox-chat");
  gateway.pass(90_000);
  made.other = await call(key, "sandbox-echo");
});
afterAll(() => gateway.close());

test("every call is listed, newest first, with its outcome, usage, charge and names", async () => {
  const { data } = await list();
  const [newest] = data;
  expect(newest).toMatchObject({
    object: "request",
    id: made.other,
    project_id: other.projectId,
    project_name: "Other",
    key_id: other.keyId,
    key_name: "site",
    model: "sandbox-echo",
    stream: false,
    outcome: "completed",
    status: 200,
    refused_by: null,
    prompt_tokens: 3,
    completion_tokens: 3,
    amount: "0.0000045",
    currency: "USD",
  });
  expect(newest?.duration_ms).toBeGreaterThanOrEqual(0);
  const ofRefused = data.find(({ outcome }) => outcome === "refused");
  expect(ofRefused).toMatchObject({ status: 429, refused_by: LIMIT, amount: null, completion_tokens: null });
  expect(ofRefused?.estimated_tokens).toBeGreaterThan(0);
  expect(data.find(({ id }) => id === made.failed)).toMatchObject({
    outcome: "provider_failed",
    status: 502,
    amount: null,
  });
  expect(data.at(-1)?.id).toBe(made.first);
  expect(data.map(({ created_at }) => created_at)).toEqual(
    data.map(({ created_at }) => created_at).toSorted((one, another) => another - one),
  );
});

test("refusals that are not kept one by one are counted by the minute, each by one page", async () => {
  const whole = await list();
  const kept = whole.data.filter(({ outcome }) => outcome === "refused");
  expect(kept).toHaveLength(10);
  expect(whole.unlisted_refusals).toEqual([{ minute: expect.any(Number), refusals: 15 }]);
  for (const limit of ["1", "2", "5", "12"]) {
    let page = await list({ limit });
    const told = [...page.unlisted_refusals];
    while (page.has_more)
      told.push(...(page = await list({ limit, after: page.last_id ?? "" })).unlisted_refusals);
    expect([limit, told]).toEqual([limit, [...whole.unlisted_refusals]]);
  }
  const told = async (query: Record<string, string>) => (await list(query)).unlisted_refusals.length;
  expect(await told({ refused_by: LIMIT, model: "sandbox-chat", status: "429" })).toBe(1);
  for (const query of [
    { status: "402" },
    { refused_by: "balance" },
    { outcome: "completed" },
    { min_amount: "0.000001" },
    { model: "sandbox-echo" },
    { project_id: other.projectId },
    { end_time: String(whole.data.at(-1)?.created_at) },
  ] as Record<string, string>[]) {
    expect([query, await told(query)]).toEqual([query, 0]);
  }
});

test("a page follows the one before it, in both directions, and holds nothing twice", async () => {
  const whole = listIds(await list());
  const paged: string[] = [];
  let page = await list({ limit: "4" });
  paged.push(...listIds(page));
  while (page.has_more)
    paged.push(...listIds((page = await list({ limit: "4", after: page.last_id ?? "" }))));
  expect(paged).toEqual(whole);
  expect(listIds(await list({ limit: "3", before: whole[6] ?? "" }))).toEqual(whole.slice(3, 6));
  // There are no newer calls.
  expect(listIds(await list({ before: whole[0] ?? "" }))).toEqual([]);
  const refused = await send(`${gateway.baseUrl}/organization/requests?after=req_none`, {
    key: gateway.adminKey,
  });
  expect([refused.status, refused.error.param]).toEqual([400, "after"]);
});

test("each filter leaves what fits it, and they are combined", async () => {
  const { data } = await list();
  const createdAt = (name: string) => data.find(({ id }) => id === made[name])?.created_at ?? 0;
  const own = (name: string) => [made[name] ?? ""];
  const charge = `txn_${made.first?.slice(4)}`;
  for (const [query, expected] of [
    [{ project_id: other.projectId }, own("other")],
    [{ model: "sandbox-500" }, own("failed")],
    [{ api_key_id: other.keyId }, own("other")],
    [{ outcome: "provider_failed" }, own("failed")],
    [{ outcome: "in_progress" }, []],
    [{ status: "502" }, own("failed")],
    [{ refused_by: "balance" }, []],
    [{ min_amount: "0.0000045", project_id: gateway.projectId }, own("first")],
    [{ min_amount: "0.0000046" }, []],
    [{ min_duration_ms: "600000" }, []],
    [{ request_id: made.failed }, own("failed")],
    [{ request_id: charge }, own("first")],
    [{ request_id: made.failed, model: "sandbox-echo" }, []],
    [{ start_time: String(createdAt("other")) }, own("other")],
    [{ end_time: String(createdAt("failed")) }, own("first")],
    [{ user_id: "user_none" }, []],
  ] as const) {
    expect([query, listIds(await list(query as Record<string, string>))]).toEqual([query, [...expected]]);
  }
  const refused = await list({ refused_by: LIMIT, status: "429", model: "sandbox-chat" });
  expect(new Set(refused.data.map(({ outcome }) => outcome))).toEqual(new Set(["refused"]));
  for (const [name, value] of [
    ["status", "many"],
    ["min_amount", "-1"],
    ["outcome", "lost"],
    ["start_time", "today"],
    ["surprise", "1"],
  ]) {
    const reply = await send(`${gateway.baseUrl}/organization/requests?${name}=${value}`, {
      key: gateway.adminKey,
    });
    expect([name, reply.status, reply.error.param]).toEqual([name, 400, name]);
  }
});

test("a reader of one project's calls sees only those, and a caller without the permission is refused", async () => {
  const viewer = await joinMember(gateway, "viewer@example.com", { role: "prompt_tester" });
  const refused = await send(`${gateway.baseUrl}/organization/requests`, { key: viewer.token });
  expect([refused.status, refused.error.permission]).toEqual([403, "api.requests.read"]);
  const users = `/organization/projects/${other.projectId}/users/${viewer.id}/roles`;
  await gateway.admin("POST", `/organization/projects/${other.projectId}/users`, {
    user_id: viewer.id,
    role: "member",
  });
  await gateway.admin("POST", users.replace("/organization", ""), { role_id: "role_project_viewer" });
  expect(listIds(await list({}, viewer.token))).toEqual([made.other ?? ""]);
  const foreign = await list({ project_id: gateway.projectId }, viewer.token);
  expect([foreign.data, foreign.unlisted_refusals]).toEqual([[], []]);
  expect((await list({}, viewer.token)).unlisted_refusals).toEqual([]);
  // A project's key may call models, and reads no calls.
  const program = await send(`${gateway.baseUrl}/organization/requests`, { key: gateway.key });
  expect(program.status).toBe(403);
});

test("a call made in the console is listed under the member's name, and as under way until it ends", async () => {
  const owner = await joinMember(gateway, "ada@example.com", { role: "owner" });
  const asked = await call(owner.token, "sandbox-echo", { "openai-project": gateway.projectId });
  const mine = await list({ user_id: owner.id });
  expect(mine.data.map(({ id, key_name }) => [id, key_name])).toEqual([[asked, "ada"]]);
  gateway.pass(1);
  const leaving = new AbortController();
  const hung = gateway.answer(
    buildRequest(`${gateway.baseUrl}/chat/completions`, {
      key: gateway.key,
      body: { model: "sandbox-hang", messages: [{ role: "user", content: "one" }] },
      signal: leaving.signal,
    }),
  );
  const inProgress = () => list({ outcome: "in_progress" });
  await until("the call is in progress", async () => (await inProgress()).data.length > 0);
  const underWay = await inProgress();
  expect(underWay.data[0]).toMatchObject({ model: "sandbox-hang", status: null, amount: null });
  expect((await list({ limit: "1" })).data[0]?.id).toBe(underWay.data[0]?.id);
  leaving.abort();
  await hung.catch(() => {});
  await until("the call has ended", async () => (await inProgress()).data.length === 0);
});
