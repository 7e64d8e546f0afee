import { expect, test } from "bun:test";
import { DAY_MS } from "@/lib/contract/durations";
import { joinMember } from "../../support/clients/join-member";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let ask: ReturnType<typeof createOrganizationClient>;
serveForEach(
  async (served) => {
    gateway = served;
    ask = createOrganizationClient(gateway.baseUrl);
    await gateway.setLimits("sandbox-echo", { max_requests_per_1_minute: 1 });
  },
  { isExamined: true },
);

const SECRET_WORD = "xylophone";

async function call(): Promise<string> {
  const body = { model: "sandbox-echo", messages: [{ role: "user", content: SECRET_WORD }] };
  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, { key: gateway.key, body });
  await reply.text();
  const id = String(reply.headers.get("x-request-id"));
  // Calls are logged a moment after they were answered.
  const path = `/requests/${id}`;
  const find = () => ask("GET", path, undefined, gateway.adminKey);
  await until("the call is logged", async () => (await find()).status === 200);
  return id;
}
const share = (requestId: string, draft: object = {}, key = gateway.adminKey) =>
  ask("POST", `/requests/${requestId}/links`, draft, key);
const open = (token: unknown) => ask("POST", "/shared_receipt", { token });

test("a link shows a call's receipt without an account, and nothing of its words, key, client or provider", async () => {
  const answered = await call();
  const refused = await call();
  const { body: link } = await share(refused, { days: 3 });
  const { body: receipt } = await open(link.token);
  expect(receipt).toMatchObject({
    object: "request.shared_receipt",
    request: { id: refused, outcome: "refused", status: 429, model: "sandbox-echo" },
    expires_at: link.expires_at,
  });
  const of = await open((await share(answered)).body.token);
  expect(of.body).toMatchObject({
    request: { id: answered, outcome: "completed" },
    hold: { state: "settled" },
  });
  const text = JSON.stringify([receipt, of.body]);
  for (const hidden of [
    SECRET_WORD,
    "key_",
    "proj_",
    "user_agent",
    "provider_request_id",
    "available",
    "txn_",
  ])
    expect(text).not.toContain(hidden);
  const other = await ask("GET", `/requests/${refused}`, undefined, String(link.token));
  expect(other.status).toBe(401);
});

test("a link ends when it expires, when it is revoked, and with its maker's permission", async () => {
  const id = await call();
  const { body: brief } = await share(id, { days: 1 });
  const { body: long } = await share(id, { days: 30 });
  const ada = await joinMember(gateway, "ada@example.com", { role: "reader" });
  const { body: adas } = await share(id, { days: 30 }, ada.token);
  expect((await ask("DELETE", `/users/${ada.id}`, undefined, gateway.adminKey)).status).toBe(200);
  expect((await open(adas.token)).body.error).toMatchObject({ code: "invalid_value", param: "token" });
  gateway.pass(DAY_MS);
  expect((await open(brief.token)).status).toBe(400);
  expect((await open(long.token)).status).toBe(200);
  const listed = await ask("GET", `/requests/${id}/links`, undefined, gateway.adminKey);
  const ids = (listed.body.data as { id: string }[]).map((link) => link.id);
  expect(ids.toSorted()).toEqual([String(adas.id), String(long.id)].toSorted());
  expect(JSON.stringify(listed.body)).not.toContain(String(long.token));
  const path = `/requests/${id}/links/${long.id}/revoke`;
  expect((await ask("POST", path, {}, gateway.adminKey)).status).toBe(200);
  expect((await open(long.token)).status).toBe(400);
  expect((await ask("POST", path, {}, gateway.adminKey)).status).toBe(404);
  const { data } = await gateway.admin<{ data: { type: string }[] }>("GET", "/organization/audit_logs");
  expect(data.map(({ type }) => type).slice(0, 1)).toEqual(["receipt_link.revoked"]);
  expect(JSON.stringify(data)).not.toContain(String(long.token));
});

test("only whoever sees a call may share it, and a call has at most 20 links", async () => {
  const id = await call();
  const tester = await joinMember(gateway, "tom@example.com", { role: "prompt_tester" });
  expect((await share(id, {}, tester.token)).body.error).toMatchObject({ permission: "api.requests.read" });
  expect((await share("req_none")).status).toBe(404);
  for (let made = 0; made < 20; made++) expect((await share(id)).status).toBe(200);
  expect((await share(id)).body.error).toMatchObject({ code: "limit_reached" });
});
