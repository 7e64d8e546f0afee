import { expect, test } from "bun:test";
import { joinMember } from "../../support/clients/join-member";
import { listCharges } from "../../support/clients/list-charges";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { fetchWithKey } from "../../support/clients/send";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedForEach } from "../../support/gateways/serve-scripted";
import { chatCompletion, type ScriptedProvider } from "../../support/servers/scripted-provider";

let provider: ScriptedProvider;
let gateway: ServedGateway;

serveScriptedForEach((served) => {
  ({ provider, gateway } = served);
  provider.answerWith(() => Response.json(chatCompletion("Hello")));
});

const chat = JSON.stringify({ model: "fake", messages: [{ role: "user", content: "Hello" }] });

const part = (name: string, content: string) =>
  `--edge\r\ncontent-disposition: form-data; ${name}\r\n\r\n${content}\r\n`;
const upload = `${part('name="purpose"', "user_data")}${part('name="file"; filename="a.txt"', "a".repeat(10_000))}--edge--\r\n`;

async function change(method: "POST" | "DELETE", path: string, body?: object) {
  const reply = await createOrganizationClient(gateway.baseUrl)(method, path, body, gateway.adminKey);
  expect(reply.status).toBe(200);
  return reply.body as Record<"id" | "value", string>;
}

const createKey = () => change("POST", `/projects/${gateway.projectId}/api_keys`, { name: "Short-lived" });

const asMaker = (token: string, headers: Record<string, string> = {}) => ({
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
  ...headers,
});

/** Sends the first half of a body, and the second after `between`. */
async function sendInHalves(
  path: string,
  headers: Record<string, string>,
  body: string,
  between: () => Promise<unknown>,
): Promise<{ status: number; code: unknown }> {
  const middle = Math.floor(body.length / 2);
  const isHalfTaken = Promise.withResolvers<void>();
  const isContinued = Promise.withResolvers<void>();
  const halves = new ReadableStream({
    async start(controller) {
      controller.enqueue(Buffer.from(body.slice(0, middle)));
      isHalfTaken.resolve();
      await isContinued.promise;
      controller.enqueue(Buffer.from(body.slice(middle)));
      controller.close();
    },
  });
  const pending = fetch(`${gateway.baseUrl}${path}`, { method: "POST", headers, body: halves });
  await isHalfTaken.promise;
  // Another request is answered, so this one's head has been read.
  await fetchWithKey(`${gateway.baseUrl}/models`, { key: gateway.key });
  await between();
  isContinued.resolve();
  const reply = await pending;
  const { error } = (await reply.json()) as { error?: { code: unknown } };
  return { status: reply.status, code: error?.code };
}

async function expectNothingSent(): Promise<void> {
  expect(provider.visits).toHaveLength(0);
  expect(await listCharges(gateway)).toEqual([]);
}

async function expectNothingStored(): Promise<void> {
  const listed = await fetchWithKey(`${gateway.baseUrl}/files`, { key: gateway.adminKey });
  expect(await listed.json()).toMatchObject({ data: [] });
}

test("a call whose key is deleted before its body is complete is refused, and costs nothing", async () => {
  const key = await createKey();
  const outcome = await sendInHalves("/chat/completions", asMaker(key.value), chat, () =>
    change("DELETE", `/projects/${gateway.projectId}/api_keys/${key.id}`),
  );
  expect(outcome).toEqual({ status: 401, code: "invalid_api_key" });
  await expectNothingSent();
});

test("an order of an image whose key is deleted before its body is complete makes no task", async () => {
  const key = await createKey();
  const order = JSON.stringify({ model: "sandbox-image", prompt: "A cat" });
  const outcome = await sendInHalves("/chat/completions", asMaker(key.value), order, () =>
    change("DELETE", `/projects/${gateway.projectId}/api_keys/${key.id}`),
  );
  expect(outcome).toEqual({ status: 401, code: "invalid_api_key" });
  const listed = await fetchWithKey(`${gateway.baseUrl}/tasks`, { key: gateway.key });
  expect(await listed.json()).toMatchObject({ data: [] });
});

test("a call is refused once its key may not call the model any more", async () => {
  const key = await createKey();
  const outcome = await sendInHalves("/chat/completions", asMaker(key.value), chat, () =>
    change("POST", `/projects/${gateway.projectId}/api_keys/${key.id}`, { models: ["sandbox-echo"] }),
  );
  expect(outcome).toEqual({ status: 403, code: "outside_key_scope" });
  await expectNothingSent();
});

test("no call and no upload is made in a project that is archived while their bodies arrive", async () => {
  const archived = { status: 400, code: "project_archived" };
  for (const send of [
    { path: "/chat/completions", type: "application/json", body: chat },
    { path: "/files", type: "multipart/form-data; boundary=edge", body: upload },
  ]) {
    const { id } = await change("POST", "/projects", { name: `For ${send.path}` });
    const headers = { "openai-project": id, "content-type": send.type };
    const outcome = await sendInHalves(send.path, asMaker(gateway.adminKey, headers), send.body, () =>
      change("POST", `/projects/${id}/archive`),
    );
    expect(outcome).toEqual(archived);
  }
  await expectNothingSent();
  await expectNothingStored();
});

test("nobody runs a call as a key that they may not use any more, or that may not make it", async () => {
  const project = `/projects/${gateway.projectId}`;
  const key = await createKey();
  const member = await joinMember(gateway, "ada@example.com", { role: "prompt_tester" });
  await change("POST", `${project}/users`, { user_id: member.id, role: "owner" });
  const headers = asMaker(member.token, {
    "openai-project": gateway.projectId,
    "x-gatehouse-run-as": key.id,
  });
  const lostRights = await sendInHalves("/chat/completions", headers, chat, () =>
    change("POST", `${project}/users/${member.id}`, { role: "viewer" }),
  );
  expect(lostRights).toEqual({ status: 403, code: "missing_permission" });
  await change("POST", `${project}/users/${member.id}`, { role: "owner" });
  const narrowed = await sendInHalves("/chat/completions", headers, chat, () =>
    change("POST", `${project}/api_keys/${key.id}`, { endpoints: ["embeddings"] }),
  );
  expect(narrowed).toEqual({ status: 403, code: "outside_key_scope" });
  await expectNothingSent();
});

test("questions with a body are answered for those who may ask when it is complete", async () => {
  const roleDraft = JSON.stringify({ permissions: ["api.models.read"] });
  const { id: roleId } = await change("POST", "/roles", {
    role_name: "Auditor",
    permissions: ["api.audit_logs.read"],
  });
  for (const [path, body] of [
    ["/chat/completions/preview", chat],
    ["/messages/count_tokens", chat],
    [`/organization/roles/${roleId}/preview`, roleDraft],
  ] as const) {
    const member = await joinMember(gateway, `ada${path.length}@example.com`, { role: "admin" });
    const headers = asMaker(member.token, { "openai-project": gateway.projectId });
    const outcome = await sendInHalves(path, headers, body, () => change("DELETE", `/users/${member.id}`));
    expect(outcome).toEqual({ status: 401, code: "invalid_api_key" });
  }
});

test("an upload whose key is deleted before its end stores nothing", async () => {
  const key = await createKey();
  const headers = asMaker(key.value, { "content-type": "multipart/form-data; boundary=edge" });
  const outcome = await sendInHalves("/files", headers, upload, () =>
    change("DELETE", `/projects/${gateway.projectId}/api_keys/${key.id}`),
  );
  expect(outcome.status).toBe(401);
  await expectNothingStored();
});

test("an upload goes on when its maker joins another project", async () => {
  const [own, other] = [
    await change("POST", "/projects", { name: "Own" }),
    await change("POST", "/projects", { name: "Other" }),
  ];
  const member = await joinMember(gateway, "ada@example.com", { role: "prompt_tester" });
  const join = ({ id }: { id: string }) =>
    change("POST", `/projects/${id}/users`, { user_id: member.id, role: "member" });
  await join(own);
  const headers = { "openai-project": own.id, "content-type": "multipart/form-data; boundary=edge" };
  const outcome = await sendInHalves("/files", asMaker(member.token, headers), upload, () => join(other));
  expect(outcome.status).toBe(200);
});
