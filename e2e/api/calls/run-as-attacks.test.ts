import { expect, test } from "bun:test";
import { listRunAsEvents } from "../../support/clients/list-run-as-events";
import { fetchWithKey } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { createMember } from "../../support/stored-data/create-member";

type Made = { id: string; value: string };

let gateway: ServedGateway;
let lead: string;

serveForAll(async (served) => {
  gateway = served;
  await gateway.restart(async () => {
    const roles = [
      { roleId: "role_project_owner", projectId: gateway.projectId },
      { roleId: "role_prompt_tester", projectId: null },
    ];
    lead = (await createMember(gateway.dataFolder, "lead", roles, gateway.runtime)).token;
  });
});

const keysPath = () => `/organization/projects/${gateway.projectId}/api_keys`;
const createKey = (name: string, limits: object = {}) =>
  gateway.admin<Made>("POST", keysPath(), { name, ...limits });
const chat = { model: "sandbox-echo", messages: [{ role: "user", content: "Say three words" }] };

async function send(path: string, as: string, body: object, more: Record<string, string> = {}) {
  const response = await fetchWithKey(`${gateway.baseUrl}${path}`, {
    key: lead,
    body,
    headers: { "openai-project": gateway.projectId, "x-gatehouse-run-as": as, ...more },
  });
  return { response, status: response.status };
}
const readCode = async ({ response }: { response: Response }) =>
  ((await response.json()) as { error?: { code: string } }).error?.code;

test("other operations are refused instead of being made as the person", async () => {
  const key = await createKey("batches");
  const batch = { input_file_id: "file-none", endpoint: "/v1/chat/completions", completion_window: "24h" };
  for (const [path, body] of [["/batches", batch] as const, [keysPath(), { name: "mine" }] as const]) {
    const refused = await send(path, key.id, body);
    expect([refused.status, await readCode(refused)]).toEqual([400, "invalid_value"]);
  }
});

test("a key that is limited to an endpoint is limited to it for whoever runs as it, at every endpoint", async () => {
  const chats = await createKey("chats", { endpoints: ["chat_completions"] });
  const embeds = await createKey("embeds", { endpoints: ["embeddings"] });
  const embedding = { model: "sandbox-embedding", input: "x" };
  const wrong = await send("/embeddings", chats.id, embedding);
  expect([wrong.status, await readCode(wrong)]).toEqual([403, "outside_key_scope"]);
  const speech = await send("/audio/speech", chats.id, {
    model: "sandbox-speech",
    input: "x",
    voice: "alloy",
  });
  expect([speech.status, await readCode(speech)]).toEqual([403, "outside_key_scope"]);
  expect((await send("/embeddings", embeds.id, embedding)).status).toBe(200);
  const reverse = await send("/chat/completions", embeds.id, chat);
  expect([reverse.status, await readCode(reverse)]).toEqual([403, "outside_key_scope"]);
});

test("whoever loses the right to issue a key can't run as it from then on, and nothing is sent or logged", async () => {
  const plain = await createKey("plain");
  expect((await send("/chat/completions", plain.id, chat)).status).toBe(200);
  const before = await listRunAsEvents(gateway);
  const charges = await countCharges();
  const { data } = await gateway.admin<{ data: { id: string; name: string }[] }>(
    "GET",
    "/organization/users",
  );
  const { id } = data.find(({ name }) => name === "lead") ?? { id: "" };
  const member = `/organization/projects/${gateway.projectId}/users/${id}`;
  await gateway.admin("POST", member, { role: "member" });
  expect((await send("/chat/completions", plain.id, chat)).status).toBe(404);
  expect(await listRunAsEvents(gateway)).toEqual(before);
  expect(await countCharges()).toBe(charges);
  await gateway.admin("POST", member, { role: "owner" });
  expect((await send("/chat/completions", plain.id, chat)).status).toBe(200);
  expect(await listRunAsEvents(gateway)).toHaveLength(before.length + 1);
  expect(await countCharges()).toBe(charges + 1);
});

async function countCharges(): Promise<number> {
  const { data } = await gateway.admin<{ data: object[] }>(
    "GET",
    "/organization/ledger?kind=charge&limit=100",
  );
  return data.length;
}
