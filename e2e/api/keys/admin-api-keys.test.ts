import { expect, test } from "bun:test";
import type OpenAI from "openai";
import type { AdminAPIKeyCreateResponse } from "openai/resources/admin/organization/admin-api-keys";
import {
  catchRefusal,
  collectAll,
  expectRefusals,
  officialClient,
} from "@/e2e/support/clients/official-client";
import { send } from "@/e2e/support/clients/send";
import { serveForAll } from "@/e2e/support/gateways/serve-for-tests";
import type { ServedGateway } from "@/e2e/support/gateways/serve-gateway";
import { openStoredData } from "@/e2e/support/gateways/served-database";
import { DAY_S, HOUR_S } from "@/lib/contract/durations";
import { createSessionStore } from "@/lib/gateway/access/session-store.sql";
import { testRequest } from "@/lib/gateway/database/testing/open-temporary-database";
import { makeSignInToken } from "@/lib/gateway/sign-in/sign-in";

let gateway: ServedGateway;
let keys: OpenAI["admin"]["organization"]["adminAPIKeys"];

serveForAll((served) => {
  gateway = served;
  keys = keysThrough(gateway.adminKey);
});

function keysThrough(key: string) {
  return officialClient(gateway.baseUrl, key).admin.organization.adminAPIKeys;
}

/** The package's own method, with the one field that this gateway adds. */
function create(name: string, role: string, by = keys): PromiseLike<AdminAPIKeyCreateResponse> {
  const draft = { name, role };
  return by.create(draft);
}

test("an admin key is made with a role, shown once, listed either way round, and stops when deleted", async () => {
  gateway.pass(1);
  const { value, ...made } = await create("Auditor", "role_reader");
  expect(value).toMatch(/^gk_admin_/);
  expect(made).toMatchObject({
    object: "organization.admin_api_key",
    name: "Auditor",
    redacted_value: `gk_admin_…${value.slice(-4)}`,
    role: "reader",
    expires_at: null,
    last_used_at: null,
    owner: { id: made.id, name: "Auditor", role: "reader" },
  });
  expect(await keys.retrieve(made.id)).toEqual(made);
  const names = async (order: "asc" | "desc") =>
    (await collectAll(keys.list({ order, limit: 1 }))).map(({ name }) => name);
  expect(await names("asc")).toEqual(["First admin key", "Auditor"]);
  expect(await names("desc")).toEqual(["Auditor", "First admin key"]);

  const own = keysThrough(value);
  expect((await collectAll(own.list())).length).toBe(2);
  expect((await keys.retrieve(made.id)).last_used_at).toBe(made.created_at);
  gateway.pass(2_000);
  await own.retrieve(made.id);
  expect((await keys.retrieve(made.id)).last_used_at).toBe(made.created_at + 2);
  gateway.pass(2_000);
  await own.list();
  await gateway.restart();
  expect((await keys.retrieve(made.id)).last_used_at).toBe(made.created_at + 4);
  expect(await catchRefusal(create("More", "role_reader", own))).toMatchObject({ status: 403 });

  const opened = await send(`${gateway.baseUrl}/organization/sessions`, {
    method: "POST",
    body: { key: value },
  });
  const session = keysThrough(String(opened.body.token));
  expect((await collectAll(session.list())).length).toBe(2);
  expect(await keys.delete(made.id)).toEqual({
    object: "organization.admin_api_key.deleted",
    id: made.id,
    deleted: true,
  });
  for (const stopped of [own, session]) {
    expect(await catchRefusal(stopped.list())).toMatchObject({ status: 401, code: "invalid_api_key" });
  }
  expect(await catchRefusal(keys.retrieve(made.id))).toMatchObject({ status: 404, param: "key_id" });
  await gateway.restart();
  expect(await catchRefusal(own.list())).toMatchObject({ status: 401 });
});

test("the last key that holds Owner for good stays", async () => {
  const [first] = await collectAll(keys.list());
  const lastOwner = { status: 409, code: "last_owner", param: "key_id" };
  expect(await catchRefusal(keys.delete(first?.id ?? ""))).toMatchObject(lastOwner);
  const fleeting = await keys.create({ name: "For a day", expires_in_seconds: DAY_S });
  expect(await catchRefusal(keys.delete(first?.id ?? ""))).toMatchObject(lastOwner);
  await keys.delete(fleeting.id);
  const second = await keys.create({ name: "Second" });
  expect(second).toMatchObject({ role: "owner" });
  const bySecond = keysThrough(second.value);
  const [one, other] = await Promise.all([
    bySecond.delete(first?.id ?? "").then(
      () => 200,
      ({ status }) => status,
    ),
    bySecond.delete(second.id).then(
      () => 200,
      ({ status }) => status,
    ),
  ]);
  expect([one, other].filter((status) => status === 200).length).toBe(1);
  expect((await collectAll((one === 200 ? bySecond : keys).list())).length).toBe(1);
  if (one === 200) keys = bySecond;
});

test("a key that expires takes its sessions with it", async () => {
  const { value } = await keys.create({ name: "An hour", expires_in_seconds: HOUR_S });
  const opened = await send(`${gateway.baseUrl}/organization/sessions`, {
    method: "POST",
    body: { key: value },
  });
  const session = keysThrough(String(opened.body.token));
  gateway.pass(3_599_999);
  await session.list();
  gateway.pass(1);
  expect(await catchRefusal(session.list())).toMatchObject({ status: 401 });
  expect(await catchRefusal(keysThrough(value).list())).toMatchObject({ status: 401 });
  const again = { method: "POST", body: { key: value } };
  expect((await send(`${gateway.baseUrl}/organization/sessions`, again)).status).toBe(401);
});

test("refuses rights beyond the caller's own, and invalid keys", async () => {
  const admin = keysThrough((await create("Admin", "role_admin")).value);
  const owner = await keys.create({ name: "Another owner" });
  const beyond = {
    status: 403,
    code: "exceeds_own_permissions",
    error: { permission: "api.payments.write" },
  };
  const cases: [PromiseLike<unknown>, object][] = [
    [admin.create({ name: "Climber" }), beyond],
    [create("Climber", "role_finance", admin), beyond],
    [admin.delete(owner.id), beyond],
    [keys.create({ name: "" }), { status: 400, param: "name" }],
    [keys.create({ name: "x", expires_in_seconds: -1 }), { status: 400, param: "expires_in_seconds" }],
    [create("x", "role_none"), { status: 404, param: "role" }],
    [create("x", "role_project_owner"), { status: 404, param: "role" }],
    [keys.list({ after: "key_none" }), { status: 400, param: "after" }],
    [keysThrough("gk_admin_no").list(), { status: 401 }],
    [keysThrough(gateway.key).list(), { status: 403 }],
    [keys.delete("key_none"), { status: 404, param: "key_id" }],
  ];
  await expectRefusals(cases);
  expect(await create("Same", "admin", admin)).toMatchObject({ role: "admin" });
  await keys.delete(owner.id);
});

test("a sign-in link made for a key that is deleted opens nothing", async () => {
  const { id, value } = await keys.create({ name: "Linked" });
  const stored = await openStoredData(gateway.dataFolder);
  const making = { sessions: createSessionStore(stored.reads), runtime: gateway.runtime };
  const token = await stored.transactions.run(testRequest.event, (transaction) =>
    makeSignInToken(making, transaction, id),
  );
  await stored.close();
  await keys.delete(id);
  const redeemed = await send(`${gateway.baseUrl}/organization/sessions`, {
    method: "POST",
    body: { sign_in_token: token },
  });
  expect(redeemed).toMatchObject({ status: 401 });
  expect(await catchRefusal(keysThrough(value).list())).toMatchObject({ status: 401 });
});
