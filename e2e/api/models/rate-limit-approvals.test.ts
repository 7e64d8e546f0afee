import { beforeEach, expect, test } from "bun:test";
import { DAY_MS } from "@/lib/contract/durations";
import { joinMember } from "../../support/clients/join-member";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let ask: ReturnType<typeof createOrganizationClient>;
let ada: string;
let ben: string;

serveForEach(async (served) => {
  gateway = served;
});

const TOKENS = "max_tokens_per_1_minute";

beforeEach(async () => {
  ask = createOrganizationClient(gateway.baseUrl);
  ada = (await joinMember(gateway, "ada@example.com", { role: "owner" })).token;
  ben = (await joinMember(gateway, "ben@example.com", { role: "owner" })).token;
  gateway.pass(1_000);
  expect((await bound({ [TOKENS]: 2_000_000 }, ada)).status).toBe(200);
  gateway.pass(1_000);
});

const bound = (above: object, token: string) => ask("POST", "/rate_limits/approval", { above }, token);
const change = (fields: object, model = "sandbox-echo") => ({
  project_id: gateway.projectId,
  model,
  ...fields,
});
const save = (token: string, ...changes: object[]) => ask("POST", "/rate_limits/changes", { changes }, token);
const request = async (token: string, ...changes: object[]) => {
  const { status, body } = await ask("POST", "/rate_limits/drafts", { changes }, token);
  return { status, id: String(body.id) };
};
const decide = (verb: "approve" | "decline", id: string, token: string) =>
  ask("POST", `/rate_limits/drafts/${id}/${verb}`, verb === "decline" ? { reason: "Too much" } : {}, token);
const refusal = { status: 403, body: { error: { code: "needs_second_person" } } };

test("a draft above the bound is saved once, by its maker, and only as it was approved", async () => {
  const draft = [change({ [TOKENS]: 3_000_000 }), change({ [TOKENS]: 5 }, "sandbox-slow")];
  expect(await save(ada, ...draft)).toMatchObject(refusal);
  const { id } = await request(ada, ...draft);
  expect(await save(ada, ...draft)).toMatchObject(refusal);
  expect(await decide("approve", id, ada)).toMatchObject(refusal);
  expect(await decide("approve", id, gateway.adminKey)).toMatchObject(refusal);
  expect(await decide("approve", id, ben)).toMatchObject({
    status: 200,
    body: { status: "approved", decided_by: { name: "ben" } },
  });
  expect(await decide("approve", id, ben)).toMatchObject({ status: 409 });
  const larger = [change({ [TOKENS]: 3_000_001 }), ...draft.slice(1)];
  for (const other of [larger, draft.slice(0, 1)]) expect(await save(ada, ...other)).toMatchObject(refusal);
  expect(await save(ben, ...draft)).toMatchObject(refusal);
  // In another order it is the same draft.
  expect((await save(ada, ...draft.toReversed())).status).toBe(200);
  expect((await save(ada, change({ [TOKENS]: 1 }))).status).toBe(200);
  expect(await save(ada, ...draft)).toMatchObject(refusal);
});

test("what is lowered, below the bound or back to the default needs nobody, and no other way leads past", async () => {
  const { id } = await request(ada, change({ [TOKENS]: 9_000_000 }));
  await decide("approve", id, ben);
  await save(ada, change({ [TOKENS]: 9_000_000 }));
  for (const fields of [{ [TOKENS]: 8_000_000 }, { [TOKENS]: 2_000_000 }, { [TOKENS]: "default" }])
    expect((await save(ada, change(fields))).status).toBe(200);
  const limit = `/projects/${gateway.projectId}/rate_limits/sandbox-echo`;
  expect(await ask("POST", limit, { [TOKENS]: 2_000_001 }, ada)).toMatchObject(refusal);
  expect(await ask("POST", "/rate_limits/defaults/organization", { [TOKENS]: 2_000_001 }, ada)).toMatchObject(
    refusal,
  );
  const { body: plan } = await ask("POST", "/rate_limits/plans", { name: "Large" }, ada);
  expect(await save(ada, { plan_id: plan.id, model: null, [TOKENS]: 2_000_001 })).toMatchObject(refusal);
  expect((await request(ada, change({ [TOKENS]: 2_000_000 }))).status).toBe(400);
});

test("a declined draft and an approval of a week ago save nothing", async () => {
  // A key lasts longer than a session.
  const key = String((await ask("POST", "/admin_api_keys", { name: "Limits" }, ada)).body.value);
  const draft = change({ [TOKENS]: 3_000_000 });
  const first = await request(key, draft);
  expect((await request(key, draft)).status).toBe(409);
  expect(await decide("decline", first.id, ben)).toMatchObject({ status: 200, body: { status: "declined" } });
  expect(await save(key, draft)).toMatchObject(refusal);
  const second = await request(key, draft);
  await decide("approve", second.id, ben);
  const replay = () => ask("POST", "/rate_limits/replay", { changes: [draft], days: 1 }, key);
  expect((await replay()).body).toMatchObject({
    approval: {
      needed: [{ project_id: gateway.projectId, field: TOKENS, above: 2_000_000 }],
      draft: { id: second.id, status: "approved" },
    },
  });
  gateway.pass(8 * DAY_MS);
  expect(await save(key, draft)).toMatchObject(refusal);
});

test("a higher bound, or none, waits for a second person, and a lower one holds at once", async () => {
  expect((await bound({ [TOKENS]: 1_500_000 }, ada)).body).toMatchObject({
    above: { [TOKENS]: 1_500_000 },
    waits: null,
  });
  const { body } = await bound({}, ada);
  expect(body).toMatchObject({ above: { [TOKENS]: 1_500_000 } });
  expect((await bound({ [TOKENS]: 4_000_000 }, ben)).status).toBe(409);
  expect(await decide("approve", String(body.waits), ada)).toMatchObject(refusal);
  expect(await decide("approve", String(body.waits), ben)).toMatchObject({ body: { status: "saved" } });
  expect((await save(ada, change({ [TOKENS]: 50_000_000 }))).status).toBe(200);
});
