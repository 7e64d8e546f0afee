import { beforeEach, expect, test } from "bun:test";
import type { LimitChangesMade, RateLimitPair } from "@/lib/contract/operations/models/rate-limit-changes";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let projects: { id: string; name: string }[];

serveForAll((served) => {
  gateway = served;
});

let made = 0;
beforeEach(async () => {
  const create = () =>
    gateway.admin<{ id: string; name: string }>("POST", "/organization/projects", { name: `P${++made}` });
  projects = [await create(), await create()];
});

type Saved = LimitChangesMade & { changes: (LimitChangesMade["changes"][number] & { version: string })[] };

const list = async (query: string) =>
  (await gateway.admin<{ data: RateLimitPair[] }>("GET", `/organization/rate_limits?${query}`)).data;
const find = async (project = 0, model = "sandbox-echo") => {
  const [pair] = await list(`project_id=${projects[project]?.id}&model=${model}`);
  if (!pair) throw new Error("no such pair");
  return pair;
};
const draft = (project: number, fields: object, model = "sandbox-echo") => ({
  project_id: projects[project]?.id,
  model,
  ...fields,
});
const save = (...changes: object[]) =>
  gateway.admin<Saved>("POST", "/organization/rate_limits/changes", { changes });
const undo = (id: string) =>
  gateway.admin<Record<string, never[]>>("POST", `/organization/rate_limits/changes/${id}/undo`);

async function refuse(changes: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${gateway.baseUrl}/organization/rate_limits/changes`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.adminKey}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ changes }),
  });
  return { status: response.status, ...((await response.json()) as { error: Record<string, unknown> }) };
}

test("all changes hold from the next call on, and only the fields that were set stop following the default", async () => {
  const saved = await save(
    draft(0, { max_requests_per_1_minute: 0, max_requests_per_1_day: null }),
    draft(1, { max_tokens_per_1_minute: 5 }),
  );
  expect(saved).toMatchObject({
    object: "rate_limits.changes",
    size: 2,
    changes: [
      {
        before: { max_requests_per_1_minute: "default", max_requests_per_1_day: "default" },
        after: { max_requests_per_1_minute: 0, max_requests_per_1_day: null },
      },
      { before: { max_tokens_per_1_minute: "default" }, after: { max_tokens_per_1_minute: 5 } },
    ],
  });
  const pair = await find();
  expect(pair).toMatchObject({
    project_name: projects[0]?.name,
    max_requests_per_1_minute: 0,
    max_tokens_per_1_minute: 1_000_000,
    own_fields: ["max_requests_per_1_minute", "max_requests_per_1_day"],
    version: saved.changes[0]?.version,
  });
  const key = await gateway.admin<{ value: string }>(
    "POST",
    `/organization/projects/${projects[0]?.id}/api_keys`,
    { name: "k" },
  );
  const call = await fetch(`${gateway.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key.value}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-echo", messages: [{ role: "user", content: "hi" }] }),
  });
  expect([call.status, (await call.json()).error.code]).toEqual([429, "max_requests_per_1_minute"]);
});

test("one fault or one that somebody changed since stops all, and is named with theirs and ours", async () => {
  const [mine, other] = [await find(0), await find(1)];
  await save(draft(1, { max_requests_per_1_minute: 9 }));
  const stale = await refuse([
    draft(0, { max_requests_per_1_minute: 1, version: mine.version }),
    draft(1, { max_requests_per_1_minute: 2, version: other.version }),
  ]);
  expect(stale).toMatchObject({
    status: 412,
    error: {
      code: "stale_version",
      current: [
        {
          project_id: projects[1]?.id,
          model: "sandbox-echo",
          theirs: { max_requests_per_1_minute: 9, own_fields: ["max_requests_per_1_minute"] },
          ours: { max_requests_per_1_minute: 2 },
        },
      ],
    },
  });
  const good = draft(0, { max_requests_per_1_minute: 1 });
  for (const [changes, status, param] of [
    [[good, draft(1, { max_requests_per_1_minute: 1 }, "none")], 404, "changes[1].model"],
    [[good, { ...good, project_id: "proj_none" }], 404, "changes[1].project_id"],
    [[good, good], 400, "changes[1]"],
    [[good, draft(1, {})], 400, "changes.1"],
    [[good, draft(1, { max_requests_per_1_minute: null })], 400, "changes.1.max_requests_per_1_minute"],
    [[good, draft(1, { max_requests_per_1_minute: 1.5 })], 400, "changes.1.max_requests_per_1_minute"],
    [[], 400, "changes"],
  ] as const) {
    expect(await refuse(changes)).toMatchObject({ status, error: { param } });
  }
  expect((await find(0)).own_fields).toEqual([]);
});

test("undo puts back what nobody has changed since, names the rest with who did, and can be undone itself", async () => {
  await save(draft(0, { max_requests_per_1_minute: 40 }));
  const { id } = await save(
    draft(0, { max_requests_per_1_minute: 50, max_tokens_per_1_minute: 60 }),
    draft(1, { max_requests_per_1_minute: 70 }),
  );
  await gateway.admin("POST", `/organization/projects/${projects[1]?.id}/rate_limits/sandbox-echo`, {
    max_requests_per_1_minute: 71,
  });
  const undone = await undo(id);
  expect(undone).toMatchObject({
    undone: [
      {
        project_id: projects[0]?.id,
        before: { max_requests_per_1_minute: 50, max_tokens_per_1_minute: 60 },
        after: { max_requests_per_1_minute: 40, max_tokens_per_1_minute: "default" },
      },
    ],
    left: [
      {
        project_id: projects[1]?.id,
        model: "sandbox-echo",
        field: "max_requests_per_1_minute",
        by: "First admin key",
      },
    ],
  });
  expect(await find(0)).toMatchObject({ max_requests_per_1_minute: 40, max_tokens_per_1_minute: 1_000_000 });
  expect((await find(1)).max_requests_per_1_minute).toBe(71);
  await expect(undo(id)).rejects.toThrow("already_decided");
  await undo(String(undone.id));
  expect(await find(0)).toMatchObject({ max_requests_per_1_minute: 50, max_tokens_per_1_minute: 60 });
});

test("a repeat with the same idempotency key changes nothing more, and each changed limit has its own event", async () => {
  const key = { "idempotency-key": crypto.randomUUID() };
  const changes = [draft(0, { max_requests_per_1_minute: 5 }), draft(1, { max_requests_per_1_minute: 5 })];
  const first = await refuse(changes, key);
  expect(first.status).toBe(200);
  expect(await refuse(changes, key)).toEqual(first);
  const { data } = await gateway.admin<{ data: { type: string; project?: { id: string } }[] }>(
    "GET",
    "/organization/audit_logs?limit=3",
  );
  expect(data.map(({ type }) => type)).toEqual([
    "rate_limits.changed",
    "rate_limit.updated",
    "rate_limit.updated",
  ]);
  const of = await gateway.admin<{ data: object[] }>(
    "GET",
    `/organization/audit_logs?project_ids[]=${projects[1]?.id}`,
  );
  expect(of.data[0]).toMatchObject({ type: "rate_limit.updated" });
});

test("pages forwards and backwards, searches, and shows only what was set by hand", async () => {
  await save(draft(0, { max_requests_per_1_minute: 5 }, "sandbox-slow"));
  const all = await list("limit=10000");
  const ids = all.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect((await list(`after=${ids[2]}&limit=2`)).map(({ id }) => id)).toEqual(ids.slice(3, 5));
  expect((await list(`before=${ids[5]}&limit=2`)).map(({ id }) => id)).toEqual(ids.slice(3, 5));
  const byHand = await list(`set_by_hand=true&search=${projects[0]?.name} slow`);
  expect(byHand.map(({ project_id, model }) => [project_id, model])).toEqual([
    [String(projects[0]?.id), "sandbox-slow"],
  ]);
  expect(
    (await list(`set_by_hand=false&project_id=${projects[0]?.id}`)).map(({ model }) => model),
  ).not.toContain("sandbox-slow");
  expect((await list(`usage=true&project_id=${projects[0]?.id}`))[0]).toMatchObject({ usage: [] });
});

test("whoever manages one project changes and sees that project's alone", async () => {
  const [own, other] = projects;
  const accounts = `/organization/projects/${own?.id}/service_accounts`;
  const account = await gateway.admin<{ id: string; api_key: { value: string } }>("POST", accounts, {
    name: "Owner",
  });
  await gateway.admin("POST", `${accounts}/${account.id}`, { role: "owner" });
  const key = account.api_key;
  const asOwn = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${gateway.baseUrl}/organization/rate_limits${path}`, {
      method,
      headers: { authorization: `Bearer ${key.value}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, ...((await response.json()) as { data?: RateLimitPair[] }) };
  };
  const mine = draft(0, { max_requests_per_1_minute: 5 });
  const { id } = await save(mine, draft(1, { max_requests_per_1_minute: 6 }));
  expect(new Set((await asOwn("GET", "?limit=1000")).data?.map((pair) => pair.project_id))).toEqual(
    new Set([String(own?.id)]),
  );
  expect(
    await asOwn("POST", "/changes", { changes: [mine, { ...mine, project_id: other?.id }] }),
  ).toMatchObject({ status: 404 });
  expect(await asOwn("POST", "/changes", { changes: [mine] })).toMatchObject({ status: 200 });
  expect(await asOwn("GET", `/changes/${id}`)).toMatchObject({ size: 2, changes: [{ project_id: own?.id }] });
  expect(await asOwn("POST", `/changes/${id}/undo`)).toMatchObject({ status: 403 });
  const unseen = await save(draft(1, { max_requests_per_1_minute: 7 }));
  expect(await asOwn("GET", `/changes/${unseen.id}`)).toMatchObject({ status: 404 });
  expect((await asOwn("GET", "/changes")).data?.map((one) => one.id)).not.toContain(unseen.id);
});
