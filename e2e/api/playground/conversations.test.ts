import { expect, test } from "bun:test";
import { fetchWithKey } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { createMember } from "../../support/stored-data/create-member";

let gateway: ServedGateway;
const tokens: Record<string, string> = {};

serveForAll(async (served) => {
  gateway = served;
  await gateway.restart(async () => {
    const { dataFolder, runtime } = gateway;
    for (const name of ["ann", "bob", "cay"]) {
      const role = { roleId: "role_prompt_tester", projectId: null };
      tokens[name] = (await createMember(dataFolder, name, [role], runtime)).token;
    }
  });
});

async function ask(
  who: string,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
) {
  const response = await fetchWithKey(`${gateway.baseUrl}/organization/conversations${path}`, {
    method,
    key: tokens[who],
    body,
    headers,
  });
  return { status: response.status, json: await response.json() };
}

const matchVersion = ({ json }: { json: { version: string } }) => ({ "if-match": `"${json.version}"` });
const draft = { title: "Limits", content: { format: 1, draft: "half a thou" } };

test("returns a saved conversation to its author only, until it is shared", async () => {
  expect((await ask("ann", "POST", "/conv_00000001", draft)).status).toBe(200);
  const own = await ask("ann", "GET", "/conv_00000001");
  expect(own.json).toMatchObject({ ...draft, is_own: true, is_shared: false });
  expect((await ask("bob", "GET", "/conv_00000001")).status).toBe(404);
  expect((await ask("bob", "GET", "")).json.data).toEqual([]);

  const shared = await ask("ann", "POST", "/conv_00000001", { ...draft, is_shared: true }, matchVersion(own));
  expect((await ask("bob", "GET", "/conv_00000001")).json).toMatchObject({ ...draft, is_own: false });
  for (const [method, body] of [["POST", draft], ["DELETE"]] as const) {
    expect((await ask("bob", method, "/conv_00000001", body, matchVersion(shared))).status).toBe(404);
  }
  await ask("ann", "POST", "/conv_00000001", { ...draft, is_shared: false }, matchVersion(shared));
  expect((await ask("bob", "GET", "/conv_00000001")).status).toBe(404);
});

test("two tabs do not overwrite each other: the second gets what the first has saved", async () => {
  const { json: first } = await ask("ann", "POST", "/conv_00000002", draft);
  const changed = { ...draft, content: { format: 1, draft: "more" } };
  const match = { "if-match": `"${first.version}"` };
  expect((await ask("ann", "POST", "/conv_00000002", changed, match)).status).toBe(200);
  const stale = await ask("ann", "POST", "/conv_00000002", draft, match);
  expect(stale.status).toBe(412);
  expect(stale.json.error.current.content).toEqual(changed.content);
});

test("two tabs that make the same conversation do not overwrite each other", async () => {
  const first = await ask("ann", "POST", "/conv_00000006", draft);
  const other = await ask("ann", "POST", "/conv_00000006", {
    ...draft,
    content: { format: 1, draft: "other" },
  });
  expect([other.status, other.json.error.code]).toEqual([412, "stale_version"]);
  expect(other.json.error.current).toEqual(first.json);
  await ask("ann", "DELETE", "/conv_00000006");
  const gone = await ask("ann", "POST", "/conv_00000006", draft, matchVersion(first));
  expect([gone.status, gone.json.error.current]).toEqual([412, null]);
});

test("saving the same content again changes nothing, and the last hundred conversations are kept", async () => {
  const first = await ask("ann", "POST", "/conv_00000003", draft);
  const again = await ask("ann", "POST", "/conv_00000003", draft, matchVersion(first));
  expect(again.json.version).toBe(first.json.version);
  for (let made = 0; made < 105; made++) {
    await ask("bob", "POST", `/conv_b000${String(made).padStart(4, "0")}`, draft);
  }
  const { json } = await ask("bob", "GET", "?limit=1000");
  expect(json.data).toHaveLength(100);
  expect((await ask("bob", "GET", "/conv_b0000000")).status).toBe(404);
  expect((await ask("ann", "GET", "/conv_00000003")).status).toBe(200);
});

test("forgets a deleted conversation, and refuses unknown fields", async () => {
  expect((await ask("ann", "DELETE", "/conv_00000003")).json).toMatchObject({ deleted: true });
  expect((await ask("ann", "GET", "/conv_00000003")).status).toBe(404);
  expect((await ask("ann", "POST", "/conv_00000004", { ...draft, owner: "x" })).status).toBe(400);
  const misnamed = await ask("ann", "POST", "/conversation", draft);
  expect([misnamed.status, misnamed.json.error.param]).toEqual([400, "conversation_id"]);
});

test("the store holds no words of it", async () => {
  await ask("ann", "POST", "/conv_00000005", { ...draft, title: "Wombat", content: { words: "platypus" } });
  for (const file of new Bun.Glob("**/*").scanSync(gateway.dataFolder)) {
    const text = await Bun.file(`${gateway.dataFolder}/${file}`).text();
    expect(text).not.toMatch(/platypus|Wombat/);
  }
});

test("a deleted admin key's conversations are shared no longer either", async () => {
  const path = "/organization/admin_api_keys";
  const { id, value } = await gateway.admin<{ id: string; value: string }>("POST", path, { name: "Second" });
  tokens.key = value;
  await ask("key", "POST", "/conv_00000901", { ...draft, is_shared: true });
  expect((await ask("bob", "GET", "/conv_00000901")).status).toBe(200);
  await fetchWithKey(`${gateway.baseUrl}${path}/${id}`, { method: "DELETE", key: gateway.adminKey });
  expect((await ask("bob", "GET", "/conv_00000901")).status).toBe(404);
});

test("a removed member's conversations are shared no longer, since nobody else could end it", async () => {
  await ask("cay", "POST", "/conv_00000900", { ...draft, is_shared: true });
  expect((await ask("bob", "GET", "/conv_00000900")).status).toBe(200);
  const { data } = await gateway.admin<{ data: { id: string; name: string }[] }>(
    "GET",
    "/organization/users",
  );
  const removed = data.find(({ name }) => name === "cay");
  const path = `${gateway.baseUrl}/organization/users/${removed?.id}`;
  const removal = await fetchWithKey(path, { method: "DELETE", key: gateway.adminKey });
  expect(removal.status).toBe(200);
  expect((await ask("bob", "GET", "/conv_00000900")).status).toBe(404);
});
