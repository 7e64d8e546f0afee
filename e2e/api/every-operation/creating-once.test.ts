import { expect, test } from "bun:test";
import { DAY_MS, HOUR_S } from "@/lib/contract/durations";
import type { OperationId } from "@/lib/contract/operation-table";
import { operationTable } from "@/lib/contract/operation-table";
import { chatLine, createBatchClient } from "../../support/clients/batch-client";
import { fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { queryDatabase } from "../../support/stored-data/query-database";

let gateway: ServedGateway;

serveForEach((served) => {
  gateway = served;
});

interface RequestOptions {
  readonly key?: string;
  readonly token?: string;
  readonly body: object;
}

async function create(path: string, { key = "once", token = gateway.adminKey, body }: RequestOptions) {
  const reply = await fetchWithKey(`${gateway.baseUrl}${path}`, {
    key: token,
    body,
    headers: { "idempotency-key": key },
  });
  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, text, json: JSON.parse(text) };
}

const isReplay = ({ headers }: { headers: Headers }) => headers.get("idempotency-replayed") === "true";

const names = async () => {
  const { data } = await gateway.admin<{ data: { name: string }[] }>("GET", "/organization/projects");
  return data.map(({ name }) => name);
};

/** The id of the newest event in the audit log. */
const lastEvent = async () => {
  const { data } = await gateway.admin<{ data: { id: string }[] }>("GET", "/organization/audit_logs?limit=1");
  return data[0]?.id;
};

/** The objects that the creating operations need, and the request of each. */
async function prepareObjects() {
  const admin = (path: string, body: object) => gateway.admin<{ id: string }>("POST", path, body);
  const group = await admin("/organization/groups", { name: "Prepared" });
  const account = await admin(`/organization/projects/${gateway.projectId}/service_accounts`, { name: "A" });
  const key = await admin(`/organization/projects/${gateway.projectId}/api_keys`, { name: "Prepared" });
  const userId = await inviteMember();
  const buildContent = (text: string) => ({
    endpoint: "chat_completions",
    body: { messages: [{ role: "user", content: text }] },
  });
  const content = buildContent("Once");
  const cases = [{ variables: {}, checks: [] }];
  const prompt = await admin(`/organization/projects/${gateway.projectId}/prompts`, {
    name: "Prepared",
    content,
    cases,
  });
  const grouped = await admin("/organization/groups", { name: "In no project" });
  const params = {
    project_id: gateway.projectId,
    group_id: group.id,
    user_id: userId,
    service_account_id: account.id,
    key_id: key.id,
    model_id: "sandbox-echo",
    prompt_id: prompt.id,
    request_id: await callOnce(),
  };
  const keepsAll = { mode: "whole", retention_days: 30, redactions: [] };
  await admin(`/organization/projects/${gateway.projectId}/body_settings`, keepsAll);
  await admin("/organization/rate_limits/approval", { above: { max_tokens_per_1_minute: 5_000_000 } });
  const price = { input_per_1m: "1", output_per_1m: "1" };
  const routes = [{ provider: "sandbox", model: "sandbox-echo" }];
  const role = { role_name: "Made", permissions: ["api.rate_limits.read"] };
  const alert = {
    currency: "USD",
    interval: "month",
    threshold_amount: 100,
    notification_channel: { type: "email", recipients: ["a@example.com"] },
  };
  const provider = { id: "made", kind: "openai", base_url: "https://example.com/v1", api_key: "sk-secret" };
  const bodies: Partial<Record<OperationId, object>> = {
    importModels: {
      provider: { ...provider, id: "imported" },
      rate: "1",
      models: [{ model: "m", id: "imported-model", family: "chat", price }],
    },
    createOrganizationModel: { id: "made", family: "chat", rate: "1", price, routes },
    createReceiptLink: { days: 7 },
    createRateLimitChanges: {
      changes: [{ project_id: gateway.projectId, model: "sandbox-echo", max_requests_per_1_minute: 77 }],
    },
    createRateLimitDraft: {
      changes: [{ project_id: gateway.projectId, model: "sandbox-echo", max_tokens_per_1_minute: 6_000_000 }],
    },
    createRateLimitPlan: { name: "Made" },
    createScheduledPrice: { effective_at: 4_102_444_800, rate: "2" },
    createProject: { name: "Made" },
    createProjectApiKey: { name: "Made" },
    rotateProjectApiKey: { overlap_seconds: HOUR_S },
    createServiceAccount: { name: "Made" },
    createServiceAccountKey: { name: "Made" },
    createAdminApiKey: { name: "Made" },
    createInvite: { email: "made@example.com", role: "reader" },
    createRole: role,
    createProjectRole: role,
    assignUserRole: { role_id: "role_finance" },
    assignGroupRole: { role_id: "role_reader" },
    assignProjectUserRole: { role_id: "role_project_viewer" },
    assignProjectGroupRole: { role_id: "role_project_viewer" },
    createGroup: { name: "Made" },
    addGroupUser: { user_id: userId },
    addProjectUser: { user_id: await inviteMember(), role: "member" },
    addProjectGroup: { group_id: grouped.id, role: "member" },
    createSpendAlert: alert,
    createProjectSpendAlert: alert,
    createProvider: provider,
    createPasswordReset: {},
    createBatch: await draftBatch(),
    createPrompt: { name: "Made", content },
    createResponseConversation: { metadata: { topic: "Made" } },
    createPromptVersion: buildContent("Another"),
    createPromptRun: { versions: [1], models: ["sandbox-echo"] },
    uploadFile: draftUpload("{}"),
  };
  return { params, bodies };
}

/** Makes a call, and returns its id once it is logged. */
async function callOnce(): Promise<string> {
  const body = { model: "sandbox-echo", messages: [{ role: "user", content: "Once" }] };
  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, { key: gateway.key, body });
  await reply.text();
  const id = String(reply.headers.get("x-request-id"));
  const find = () =>
    fetchWithKey(`${gateway.baseUrl}/organization/requests/${id}`, { key: gateway.adminKey });
  await until("the call is logged", async () => (await find()).status === 200);
  return id;
}

/** A batch with one line. */
async function draftBatch() {
  const client = createBatchClient(gateway);
  const input_file_id = await client.upload([chatLine("a", "x")]);
  return { input_file_id, endpoint: "/v1/chat/completions", completion_window: "24h" };
}

function draftUpload(content: string, fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ purpose: "user_data", ...fields })) form.append(name, value);
  form.append("file", new Blob([content]), "made.json");
  return form;
}

let members = 0;

/** A member who joined by an invitation. */
async function inviteMember(): Promise<string> {
  const email = `member${++members}@example.com`;
  const invite = { email, role: "reader", projects: [] };
  const { token } = await gateway.admin<{ token: string }>("POST", "/organization/invites", invite);
  const accepted = { token, name: "Member", password: "a long enough password" };
  await gateway.admin("POST", "/organization/invites/accept", accepted);
  const { data } = await gateway.admin<{ data: { id: string; email: string }[] }>(
    "GET",
    "/organization/users",
  );
  return data.find((user) => user.email === email)?.id ?? "";
}

test("every operation that creates does so once for a key, and a repeat gets the same reply", async () => {
  const { params, bodies } = await prepareObjects();
  const creating = operationTable.filter(({ effect }) => effect === "creates");
  expect(Object.keys(bodies).toSorted()).toEqual(creating.map(({ id }) => id).toSorted());
  for (const { id, path, scope } of creating) {
    const token = scope === "named project" ? gateway.key : gateway.adminKey;
    const asked = { key: id, token, body: bodies[id as OperationId] ?? {} };
    const at = path.replace(/\{(\w+)\}/g, (_, name: keyof typeof params) => params[name]);
    const first = await create(at, asked);
    const event = await lastEvent();
    const second = await create(at, asked);
    expect([id, first.status, isReplay(first), isReplay(second), second.text]).toEqual([
      id,
      200,
      false,
      true,
      first.text,
    ]);
    expect(second.headers.get("original-request")).toBe(first.headers.get("x-request-id"));
    expect([id, await lastEvent()]).toEqual([id, event]);
  }
});

test("a file is uploaded once for a key, whatever its form's boundary, and another file with it is a conflict", async () => {
  const upload = (content: string, fields = {}) =>
    create("/files", { token: gateway.key, body: draftUpload(content, fields) });
  const listed = async () => {
    const { data } = await gateway.admin<{ data: { id: string }[] }>("GET", "/files");
    return data.map(({ id }) => id);
  };
  const replies = await Promise.all(Array.from({ length: 8 }, () => upload("one")));
  expect(replies.filter(isReplay)).toHaveLength(7);
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  for (const refused of [await upload("two"), await upload("one", { purpose: "batch" })])
    expect([refused.status, refused.json.error.code]).toEqual([409, "idempotency_conflict"]);
  await gateway.restart();
  expect(isReplay(await upload("one"))).toBe(true);
  expect(await listed()).toEqual([replies[0]?.json.id]);
  await gateway.pass(DAY_MS);
  expect(isReplay(await upload("one"))).toBe(false);
  expect(await listed()).toHaveLength(2);
});

test("an upload that was refused doesn't use up its key", async () => {
  const refused = await create("/files", {
    token: gateway.key,
    body: draftUpload("x", { purpose: "wrong" }),
  });
  expect(refused.status).toBe(400);
  const stored = await create("/files", { token: gateway.key, body: draftUpload("x") });
  expect([stored.status, isReplay(stored)]).toEqual([200, false]);
});

test("50 at once make one, and all get it", async () => {
  const replies = await Promise.all(
    Array.from({ length: 50 }, () => create("/organization/projects", { body: { name: "Only one" } })),
  );
  expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(replies.filter(isReplay)).toHaveLength(49);
  expect((await names()).filter((name) => name === "Only one")).toHaveLength(1);
});

test("the key belongs to the operation, its path, its body and the caller", async () => {
  await create("/organization/projects", { body: { name: "First" } });
  const others: [string, object][] = [
    ["/organization/projects", { name: "Other body" }],
    ["/organization/groups", { name: "First" }],
    ["/organization/payments", { amount: "1.00" }],
  ];
  for (const [path, body] of others) {
    const refused = await create(path, { body });
    expect([path, refused.status, refused.json.error.code]).toEqual([path, 409, "idempotency_conflict"]);
  }
  const { value: token } = await gateway.admin<{ value: string }>("POST", "/organization/admin_api_keys", {
    name: "Another",
  });
  const own = await create("/organization/projects", { token, body: { name: "Own" } });
  expect([own.status, isReplay(own)]).toEqual([200, false]);
  const paid = [gateway.adminKey, token].map((payer) =>
    create("/organization/payments", { key: "pay", token: payer, body: { amount: "1.00" } }),
  );
  expect(new Set((await Promise.all(paid)).map(({ json }) => json.id)).size).toBe(2);
});

test("a refusal is not stored: the key can be used for the corrected request", async () => {
  const path = "/organization/groups";
  await gateway.admin("POST", path, { name: "Taken" });
  expect((await create(path, { body: { name: "Taken" } })).status).toBe(409);
  expect((await create(path, { body: { name: "Free" } })).status).toBe(200);
});

test("a kept reply outlives a restart, holds its secret sealed, and is forgotten after 24 hours", async () => {
  const path = `/organization/projects/${gateway.projectId}/api_keys`;
  const first = await create(path, { body: { name: "Secret" } });
  gateway.pass(DAY_MS - 1);
  await gateway.restart();
  expect((await create(path, { body: { name: "Secret" } })).json.value).toBe(first.json.value);
  const kept = await queryDatabase<{ reply: string }>(
    gateway,
    "SELECT reply FROM idempotency_keys WHERE reply IS NOT NULL",
  );
  expect(kept.map(({ reply }) => reply.slice(0, 3))).toContain("v1.");
  expect(JSON.stringify(kept)).not.toContain(first.json.value);
  gateway.pass(1);
  expect((await create(path, { body: { name: "Secret" } })).json.value).not.toBe(first.json.value);
});

test("a gateway that ended in between makes nothing twice, and what it had not begun it makes", async () => {
  const path = `/organization/projects/${gateway.projectId}/api_keys`;
  await create(path, { body: { name: "Made, not answered" } });
  const forget = "UPDATE idempotency_keys SET reply = NULL";
  const change = (statement: string) => async () => {
    await queryDatabase(gateway, statement);
  };
  await gateway.restart(change(forget));
  const lost = await create(path, { body: { name: "Made, not answered" } });
  expect([lost.status, lost.json.error.code]).toEqual([409, "idempotency_lost"]);
  expect(lost.headers.get("x-should-retry")).toBe("false");
  await gateway.restart(change(`${forget}, request_id = 'req_that_changed_nothing'`));
  expect((await create(path, { body: { name: "Made, not answered" } })).status).toBe(200);
});
