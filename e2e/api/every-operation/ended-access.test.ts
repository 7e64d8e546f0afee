import { expect, test } from "bun:test";
import { joinMember } from "../../support/clients/join-member";
import { listCharges } from "../../support/clients/list-charges";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { readReceipt } from "../../support/clients/read-requests";
import { fetchWithKey } from "../../support/clients/send";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedForEach } from "../../support/gateways/serve-scripted";
import { chunkEvent, type ScriptedProvider, streamChunks } from "../../support/servers/scripted-provider";

let provider: ScriptedProvider;
let gateway: ServedGateway;
const never = new Promise<void>(() => {});

serveScriptedForEach((served) => {
  ({ provider, gateway } = served);
  provider.answerWith(() =>
    streamChunks([chunkEvent({ content: "one " }), chunkEvent({ content: "two" }), never]),
  );
});

const admin = (method: "POST" | "DELETE", path: string, body?: object) =>
  createOrganizationClient(gateway.baseUrl)(method, path, body, gateway.adminKey);

/** A stream that has begun and never ends by itself. */
async function openStream(key: string, headers: Record<string, string> = {}) {
  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key,
    body: {
      model: "fake",
      stream: true,
      max_tokens: 50,
      messages: [{ role: "user", content: "Hello" }],
    },
    headers: { "openai-project": gateway.projectId, ...headers },
  });
  expect(reply.status).toBe(200);
  return reply;
}

/** The call was cut off, and its output is charged. */
async function expectCutOff(reply: Response, completionTokens: unknown = expect.any(Number)): Promise<void> {
  const { request, entries } = await readReceipt(gateway, reply.headers.get("x-request-id"));
  expect(request.outcome).toBe("client_gone");
  expect(entries).toMatchObject([{ kind: "charge", completion_tokens: completionTokens }]);
}

/** The stream ends with the reason, the provider is stopped, and its output is charged. */
async function expectEnded(reply: Response, code = "invalid_api_key") {
  const text = await reply.text();
  expect(text).toContain("two");
  expect(text).toContain(`"code":"${code}"`);
  expect(text).not.toContain("[DONE]");
  await provider.visits[0]?.aborted;
  await expectCutOff(reply);
}

/** The stream is still open, and is then left. */
async function expectGoingOn(reply: Response) {
  const reader = reply.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await reader?.cancel();
}

test("a stream ends with its key", async () => {
  const path = `/projects/${gateway.projectId}/api_keys`;
  const { body } = await admin("POST", path, { name: "Short-lived" });
  const reply = await openStream(String(body.value));
  const other = await openStream(gateway.key);
  await admin("DELETE", `${path}/${body.id}`);
  await expectEnded(reply);
  await expectGoingOn(other);
});

test("a stream ends with the member who is removed", async () => {
  const member = await joinMember(gateway, "ada@example.com", { role: "admin" });
  const reply = await openStream(member.token);
  await admin("DELETE", `/users/${member.id}`);
  await expectEnded(reply);
});

test("a stream ends only with its own session", async () => {
  const ben = await joinMember(gateway, "ben@example.com", { role: "admin" });
  const signIn = { email: "ben@example.com", password: "a horse of wood" };
  const { body } = await createOrganizationClient(gateway.baseUrl)("POST", "/sign_in", signIn);
  const reply = await openStream(String(body.token));
  const other = await openStream(ben.token);
  await createOrganizationClient(gateway.baseUrl)(
    "DELETE",
    `/me/sessions/${body.id}`,
    undefined,
    String(body.token),
  );
  await expectEnded(reply);
  await expectGoingOn(other);
});

test("an unread stream and a stream with an idempotency key are settled as well", async () => {
  const path = `/projects/${gateway.projectId}/api_keys`;
  const { body } = await admin("POST", path, { name: "Short-lived" });
  const reply = await openStream(String(body.value), { "idempotency-key": "k1" });
  await admin("DELETE", `${path}/${body.id}`);
  await provider.visits[0]?.aborted;
  await expectEnded(reply);
});

test("a stream that somebody runs as a key ends with the key, and with their own membership", async () => {
  const path = `/projects/${gateway.projectId}/api_keys`;
  const { body: key } = await admin("POST", path, { name: "Short-lived" });
  const { body: other } = await admin("POST", path, { name: "Lasting" });
  const member = await joinMember(gateway, "ada@example.com", { role: "admin" });
  const runAs = (id: unknown) => openStream(member.token, { "x-gatehouse-run-as": String(id) });
  const [ofKey, ofMember] = [await runAs(key.id), await runAs(other.id)];
  await admin("DELETE", `${path}/${key.id}`);
  expect(await ofKey.text()).toContain("invalid_api_key");
  await expectCutOff(ofKey);
  await admin("DELETE", `/users/${member.id}`);
  expect(await ofMember.text()).toContain("invalid_api_key");
  await expectCutOff(ofMember);
});

test("a call that waits for its whole answer is cut short, refused, and its prompt charged", async () => {
  const arrived = Promise.withResolvers<void>();
  provider.answerWith(() => {
    arrived.resolve();
    return never as never;
  });
  const path = `/projects/${gateway.projectId}/api_keys`;
  const { body } = await admin("POST", path, { name: "Short-lived" });
  const pending = fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key: String(body.value),
    body: { model: "fake", messages: [{ role: "user", content: "Hello" }] },
  });
  await arrived.promise;
  await admin("DELETE", `${path}/${body.id}`);
  const reply = await pending;
  expect(reply.status).toBe(401);
  await expectCutOff(reply, 0);
});

test("a stream of a task's events ends with its key, and with its reader's project", async () => {
  const path = `/projects/${gateway.projectId}`;
  const { body: key } = await admin("POST", `${path}/api_keys`, { name: "Short-lived" });
  const member = await joinMember(gateway, "ada@example.com", { role: "prompt_tester" });
  await admin("POST", `${path}/users`, { user_id: member.id, role: "member" });
  const made = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key: gateway.key,
    body: { model: "sandbox-image", prompt: "x", sandbox: { outcome: "never ends" } },
  });
  const { id } = (await made.json()) as { id: string };
  const follow = async (token: string) => {
    const reply = await fetchWithKey(`${gateway.baseUrl}/tasks/${id}/events`, { key: token });
    expect(reply.status).toBe(200);
    return reply;
  };
  const [byKey, byMember] = [await follow(String(key.value)), await follow(member.token)];
  await admin("DELETE", `${path}/api_keys/${key.id}`);
  await admin("DELETE", `${path}/users/${member.id}`);
  await Promise.all([byKey.text(), byMember.text()]);
});

test("a repeat that waits for its first call is refused with the key that both were made with", async () => {
  const arrived = Promise.withResolvers<void>();
  provider.answerWith(() => {
    arrived.resolve();
    return never as never;
  });
  const path = `/projects/${gateway.projectId}/api_keys`;
  const { body: key } = await admin("POST", path, { name: "Short-lived" });
  const call = () =>
    fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
      key: String(key.value),
      body: { model: "fake", messages: [{ role: "user", content: "Hello" }] },
      headers: { "idempotency-key": "k1" },
    });
  const first = call();
  await arrived.promise;
  const repeat = call();
  await fetchWithKey(`${gateway.baseUrl}/models`, { key: gateway.key });
  await admin("DELETE", `${path}/${key.id}`);
  expect([(await first).status, (await repeat).status]).toEqual([401, 401]);
  expect(provider.visits).toHaveLength(1);
  expect(await listCharges(gateway)).toHaveLength(1);
});

test.each([
  [
    "whose key may call less",
    async ({ path, keyId }: Narrowing) =>
      admin("POST", `${path}/api_keys/${keyId}`, { models: ["sandbox-chat"] }),
    "outside_key_scope",
  ],
  [
    "whose project may no longer call its model",
    async ({ path }: Narrowing) =>
      admin("POST", `${path}/model_permissions`, { mode: "allow_list", model_ids: ["sandbox-chat"] }),
    "model_not_allowed",
  ],
  [
    "whose project is archived",
    async ({ path }: Narrowing) => admin("POST", `${path}/archive`),
    "invalid_api_key",
  ],
])("a stream ends %s, with the reason, and one of another project goes on", async (_, narrow, code) => {
  const { body: project } = await admin("POST", "/projects", { name: "Narrowed" });
  const path = `/projects/${project.id}`;
  const { body: key } = await admin("POST", `${path}/api_keys`, { name: "Narrowed" });
  const reply = await openStream(String(key.value), { "openai-project": String(project.id) });
  const other = await openStream(gateway.key);
  const { status } = await narrow({ path, keyId: String(key.id) });
  expect(status).toBe(200);
  await expectEnded(reply, code);
  await expectGoingOn(other);
});

test("a stream ends with the role that let its member call", async () => {
  const member = await joinMember(gateway, "ada@example.com", { role: "admin" });
  const reply = await openStream(member.token);
  expect((await admin("POST", `/users/${member.id}`, { role: "reader" })).status).toBe(200);
  await expectEnded(reply, "missing_permission");
});

interface Narrowing {
  readonly path: string;
  readonly keyId: string;
}
