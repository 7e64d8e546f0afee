import { expect, test } from "bun:test";
import { joinMember } from "../../support/clients/join-member";
import { send } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let tester: { id: string; token: string };

serveForAll(
  async (served) => {
    gateway = served;
    tester = await joinMember(gateway, "tester@example.com", { role: "prompt_tester" });
  },
  { balance: "0.00001" },
);

const ask = (key: string, content: string, path = "chat/completions", headers = {}) =>
  send(`${gateway.baseUrl}/${path}`, {
    method: "POST",
    key,
    headers: { "openai-project": gateway.projectId, ...headers },
    body: { model: "sandbox-echo", messages: [{ role: "user", content }], max_tokens: 5 },
  });
const get = (path: string, key: string) => send(`${gateway.baseUrl}/organization${path}`, { key });
const readRequestId = ({ headers }: { headers: Headers }) => headers.get("x-request-id") ?? "";

test("every caller sees the charges of their own calls; other charges require permission to read the ledger", async () => {
  const mine = readRequestId(await ask(tester.token, "one"));
  const charge = await get(`/me/charges/${mine}`, tester.token);
  expect(charge.body).toMatchObject({ kind: "charge", amount: "0.0000015", request_id: mine });
  expect((await get(`/ledger/${charge.body.id}`, tester.token)).error.permission).toBe("api.ledger.read");
  expect((await get(`/ledger/${charge.body.id}`, gateway.adminKey)).body).toEqual(charge.body);

  const programs = readRequestId(await ask(gateway.key, "two"));
  expect((await get(`/me/charges/${programs}`, gateway.key)).body).toMatchObject({ request_id: programs });
  for (const [id, key] of [
    [programs, tester.token],
    [mine, gateway.key],
    [mine, gateway.adminKey],
    ["req_none", tester.token],
    [String(charge.body.id), tester.token],
  ] as const) {
    const refused = await get(`/me/charges/${id}`, key);
    expect([refused.status, refused.error.code, refused.error.param]).toEqual([
      404,
      "object_not_found",
      "request_id",
    ]);
  }
  expect((await get("/ledger/txn_none", gateway.adminKey)).error.param).toBe("entry_id");
});

test("shows the remaining balance to callers who may read it, in either dialect", async () => {
  const { available } = await gateway.admin<{ available: string }>("GET", "/organization/balance");
  const tooLong = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen";
  const dialects = [
    ["chat/completions", {}],
    ["messages", { "anthropic-version": "2023-06-01" }],
  ] as const;
  for (const [path, headers] of dialects) {
    const seen = await ask(gateway.adminKey, tooLong, path, headers);
    expect([seen.status, seen.error.balance?.available]).toEqual([402, available]);
    expect(seen.error.message).toContain(available);
    for (const key of [gateway.key, tester.token]) {
      const { status, error } = await ask(key, tooLong, path, headers);
      expect([status, error.balance]).toEqual([402, { required: "0.0000085", currency: "USD" }]);
      expect(error.message).toContain("0.0000085 USD");
      expect(JSON.stringify(error)).not.toContain(available);
    }
  }
});
