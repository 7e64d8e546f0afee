import { expect, test } from "bun:test";
import type { KeyChangesPreview } from "@/lib/contract/operations/keys/key-changes";
import { send } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
serveForAll((served) => {
  gateway = served;
});

interface Key {
  readonly id: string;
  readonly value: string;
}

const path = () => `/organization/projects/${gateway.projectId}`;
const create = (name: string) => gateway.admin<Key>("POST", `${path()}/api_keys`, { name });
const call = async ({ value }: Key, model = "sandbox-echo") =>
  await fetch(`${gateway.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${value}`, "content-type": "application/json" },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "hi" }] }),
  }).then(async (response) => (await response.text(), response.status));
const preview = (keys: readonly { id: string }[], action: object) =>
  gateway.admin<KeyChangesPreview>("POST", `${path()}/api_key_changes/preview`, {
    key_ids: keys.map(({ id }) => id),
    action,
  });
const change = (keys: readonly { id: string }[], action: object, key = gateway.adminKey) =>
  send(`${gateway.baseUrl}${path()}/api_key_changes`, {
    method: "POST",
    key,
    body: { key_ids: keys.map(({ id }) => id), action },
  });

test("keys are limited together, after the calls that this would have refused were counted", async () => {
  const [one, two] = [await create("one"), await create("two")];
  expect([await call(one), await call(one, "sandbox-chat"), await call(two)]).toEqual([200, 200, 200]);
  const action = { type: "set_scope", models: ["sandbox-echo"] };
  await until("calls are counted", async () => (await preview([one], action)).keys[0]?.calls === 2);
  const shown = await preview([one, two], action);
  expect(shown).toMatchObject({
    refusal: null,
    keys: [
      { name: "one", is_changed: true, calls: 2, refused_calls: 1 },
      { name: "two", is_changed: true, calls: 1, refused_calls: 0 },
    ],
  });
  expect((await preview([one], { type: "revoke" })).keys[0]?.refused_calls).toBe(2);
  expect(await call(one, "sandbox-chat")).toBe(200);
  expect((await change([one, two], action)).status).toBe(200);
  expect([await call(one, "sandbox-chat"), await call(two)]).toEqual([403, 200]);
  expect((await preview([one], action)).keys[0]?.is_changed).toBe(false);
});

test("keys are revoked together at once, with one event of all and one of each", async () => {
  const keys = [await create("three"), await create("four")];
  await change(keys, { type: "revoke" });
  for (const key of keys) expect(await call(key)).toBe(401);
  const { data } = await gateway.admin<{ data: { type: string }[] }>(
    "GET",
    "/organization/audit_logs?limit=3",
  );
  expect(data.map(({ type }) => type)).toEqual(["api_keys.changed", "api_key.deleted", "api_key.deleted"]);
});

test("all or none: an expired key, an unknown one, and one of another project keep all others", async () => {
  const [lasting, brief] = [await create("lasting"), await create("brief")];
  await change([brief], { type: "expire", expires_in_seconds: 1 });
  gateway.pass(2_000);
  expect(await call(brief)).toBe(401);
  const action = { type: "expire", expires_in_seconds: 5 };
  expect((await preview([lasting, brief], action)).refusal).toMatchObject({
    code: "key_expired",
    key_id: brief.id,
  });
  expect(await change([lasting, brief], action)).toMatchObject({ status: 409 });
  expect(await change([lasting, { id: "key_unknown" }], { type: "revoke" })).toMatchObject({ status: 404 });
  const other = await gateway.admin<{ id: string }>("POST", "/organization/projects", { name: "Other" });
  const foreign = await gateway.admin<Key>("POST", `/organization/projects/${other.id}/api_keys`, {
    name: "foreign",
  });
  expect(await change([lasting, foreign], { type: "revoke" })).toMatchObject({ status: 404 });
  gateway.pass(10_000);
  expect([await call(lasting), await call(foreign)]).toEqual([200, 200]);
  expect(await change([lasting], { type: "set_scope" })).toMatchObject({ status: 400 });
  expect(await change([lasting], { type: "set_scope", models: ["nothing"] })).toMatchObject({ status: 400 });
});

test("a key that may not manage keys changes none", async () => {
  const keys = [await create("five")];
  expect(await change(keys, { type: "revoke" }, gateway.key)).toMatchObject({ status: 403 });
  expect(await call(keys[0] as Key)).toBe(200);
});
