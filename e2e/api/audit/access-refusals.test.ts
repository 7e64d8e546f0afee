import { expect, test } from "bun:test";
import { toFile } from "openai";
import { MINUTE_MS } from "@/lib/contract/durations";
import type { AccessRefusal } from "@/lib/contract/operations/audit/audit-logs";
import { RUN_AS_HEADER } from "@/lib/contract/operations/calls/completions";
import { KEEP_ANSWER_HEADER } from "@/lib/contract/operations/playground/conversations";
import { chatLine, createBatchClient } from "../../support/clients/batch-client";
import { joinMember } from "../../support/clients/join-member";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { fetchWithKey } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let ask: ReturnType<typeof createOrganizationClient>;
let reader: { id: string; token: string };

serveForAll(
  async (served) => {
    gateway = served;
    ask = createOrganizationClient(gateway.baseUrl);
    reader = await joinMember(gateway, "rita@example.com");
  },
  { isExamined: true },
);

async function listed(query = ""): Promise<AccessRefusal[]> {
  const { status, body } = await ask(
    "GET",
    `/access_refusals?limit=100${query}`,
    undefined,
    gateway.adminKey,
  );
  expect(status).toBe(200);
  return body.data as AccessRefusal[];
}

/** The refusals during this work, in a minute of its own. */
async function refusedBy(work: () => Promise<unknown>): Promise<AccessRefusal[]> {
  gateway.pass(MINUTE_MS);
  const known = new Set((await listed()).map(({ id }) => id));
  await work();
  return (await listed()).filter(({ id }) => !known.has(id));
}

test("counts a member's refused attempts with operation, project and address", async () => {
  const path = `/projects/${gateway.projectId}`;
  const rename = () => ask("POST", path, { name: "Mine" }, reader.token);
  const [row, ...others] = await refusedBy(async () => {
    expect((await rename()).status).toBe(403);
    gateway.pass(1_000);
    await rename();
  });
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    caller: { type: "user", id: reader.id, name: "rita" },
    operation: "changeProject",
    project_id: gateway.projectId,
    ip_address: "127.0.0.1",
    status: 403,
    code: "missing_permission",
    refusals: 2,
  });
  expect((row?.last_at ?? 0) - (row?.first_at ?? 0)).toBe(1);
  expect(await listed(`&caller_ids[]=${reader.id}&codes[]=missing_permission`)).toContainEqual(
    row as AccessRefusal,
  );
  expect(await listed("&ip_addresses[]=127.0.0.1")).toContainEqual(row as AccessRefusal);
  expect(await listed("&ip_addresses[]=192.0.2.1")).toEqual([]);
  expect(await listed("&codes[]=invalid_api_key")).not.toContainEqual(row as AccessRefusal);
});

test("a refusal by a rule on managing members is counted like one by a permission", async () => {
  const admin = await joinMember(gateway, "ada@example.com", { role: "admin" });
  const rows = await refusedBy(async () => {
    expect((await ask("POST", `/users/${reader.id}`, { role: "owner" }, admin.token)).status).toBe(403);
  });
  expect(rows).toMatchObject([{ caller: { id: admin.id }, operation: "changeUser", refusals: 1 }]);
});

test("counts callers without a valid key anonymously, and stores none of their text", async () => {
  const secret = "gk_live_of_somebody_else";
  const rows = await refusedBy(async () => {
    expect((await ask("GET", "/projects/proj_made_up_by_me", undefined, secret)).status).toBe(401);
    await ask("GET", "/projects", undefined, undefined);
    await fetch(`${gateway.baseUrl}/chat/completions`, { method: "POST", body: "{}" });
  });
  expect(rows.map(({ operation }) => operation).toSorted()).toEqual([
    "createChatCompletion",
    "listProjects",
    "retrieveProject",
  ]);
  for (const row of rows) expect(row).toMatchObject({ status: 401, caller: null, project_id: null });
  expect(JSON.stringify(rows)).not.toMatch(/somebody_else|made_up/);
});

test("failed sign-ins and refused model calls are in their own logs", async () => {
  const rows = await refusedBy(async () => {
    await ask("POST", "/sign_in", { email: "rita@example.com", password: "wrong password" });
    const called = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
      key: gateway.key,
      body: { model: "none", messages: [{ role: "user", content: "x" }] },
    });
    expect(called.ok).toBe(false);
  });
  expect(rows).toEqual([]);
});

test("a file's content, a preview, a background answer and a call as another key count when refused; logged calls don't", async () => {
  const { id: fileId } = await createBatchClient(gateway).openai.files.create({
    file: await toFile(Buffer.from(chatLine("a", "secret")), "input.jsonl"),
    purpose: "batch",
  });
  const keys = `/organization/projects/${gateway.projectId}/api_keys`;
  const limited = { name: "limited", models: ["sandbox-echo"], endpoints: ["chat_completions"] };
  const { id: keyId, value: narrow } = await gateway.admin<{ id: string; value: string }>(
    "POST",
    keys,
    limited,
  );
  const call = { model: "sandbox-chat", messages: [{ role: "user", content: "x" }] };
  const refuse = async (path: string, key: string, more: Parameters<typeof fetchWithKey>[1] = {}) => {
    const response = await fetchWithKey(`${gateway.baseUrl}${path}`, { key, ...more });
    expect([path, response.status]).toEqual([path, 403]);
  };
  const rows = await refusedBy(async () => {
    await refuse(`/files/${fileId}/content`, reader.token);
    await refuse("/chat/completions/preview", narrow, { body: call });
    const kept = { [KEEP_ANSWER_HEADER]: "conv_program1/a" };
    await refuse("/chat/completions", gateway.key, { body: call, headers: kept });
    const asKey = { [RUN_AS_HEADER]: keyId };
    await refuse("/messages", gateway.adminKey, { body: { ...call, max_tokens: 5 }, headers: asKey });
    await refuse("/chat/completions", narrow, { body: call });
  });
  expect(
    rows.map(({ operation, caller, refusals }) => [operation, caller?.type, refusals]).toSorted(),
  ).toEqual([
    ["createChatCompletion", "project_key", 1],
    ["createMessage", "admin_key", 1],
    ["previewChatCompletion", "project_key", 1],
    ["retrieveFileContent", "user", 1],
  ]);
});

test("a caller that tries every operation fills 20 rows of a minute and hides no other caller", async () => {
  const nouns = ["users", "groups", "roles", "api_keys", "service_accounts"];
  const places = ["", `/projects/${gateway.projectId}`];
  let refused = 0;
  const rows = await refusedBy(async () => {
    for (let round = 0; round < 2; round++)
      for (const path of places.flatMap((place) => nouns.map((noun) => `${place}/${noun}`)))
        for (const method of ["GET", "POST", "DELETE"] as const)
          refused += Number((await ask(method, path, undefined, "gk_nothing")).status === 401);
    await ask("POST", "/roles", { role_name: "x", permissions: [] }, reader.token);
  });
  const strangers = rows.filter(({ caller }) => caller === null);
  expect(strangers.length).toBeLessThanOrEqual(21);
  expect(strangers.reduce((sum, { refusals }) => sum + refusals, 0)).toBe(refused);
  expect(rows.filter(({ caller }) => caller?.id === reader.id)).toMatchObject([{ operation: "createRole" }]);
});

test("counts outlive a restart, and are added to within their minute", async () => {
  const tryIt = () => ask("POST", "/groups", { name: "Mine" }, reader.token);
  const [row] = await refusedBy(async () => {
    for (let index = 0; index < 3; index++) {
      await tryIt();
      await listed();
    }
  });
  expect(row).toMatchObject({ operation: "createGroup", refusals: 3 });
  await tryIt();
  await gateway.restart();
  expect((await listed()).find(({ id }) => id === row?.id)).toMatchObject({ refusals: 4 });
});
