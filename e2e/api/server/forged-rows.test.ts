import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { examine } from "@/lib/gateway/doctor/examine-outputs";
import { maskSecrets } from "@/lib/gateway/secrets/secret";
import { fetchWithKey } from "../../support/clients/send";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";

/** Providers and a model whose ids look like secrets. */
const MODEL = "eu/xai-grok-4-fast-reasoning";
const KEPT = "xai-production-europe";
const DELETED = "pplx-production-europe";

let gateway: ServedGateway;
let copies = 0;
const folder = mkdtempSync(join(tmpdir(), "gatehouse-forged-"));

beforeAll(async () => {
  gateway = await serveGateway({ isEmbedded: true });
  const { admin, projectId } = gateway;
  await gateway.setLimits("sandbox-echo", { max_requests_per_1_minute: 5 });
  await admin("POST", "/organization/roles", { role_name: "Auditors", permissions: ["api.audit_logs.read"] });
  await admin("POST", "/organization/models/sandbox-echo", { rate: "0.5" });
  await admin("POST", "/organization/payments", { amount: "25.00", reference: "Invoice 7" });
  await admin("POST", `/organization/projects/${projectId}/spend_limit`, {
    currency: "USD",
    interval: "month",
    threshold_amount: 500,
  });
  await admin("POST", "/organization/groups", { name: "Team" });
  const provider = { kind: "openai", base_url: "http://127.0.0.1:1/v1" };
  for (const id of [KEPT, DELETED]) await admin("POST", "/organization/providers", { ...provider, id });
  const price = { input_per_1m: "1", output_per_1m: "1" };
  const routes = [{ provider: KEPT, model: "m" }];
  await admin("POST", "/organization/models", { id: MODEL, family: "chat", rate: "1", price, routes });
  await admin("POST", `/organization/models/${encodeURIComponent(MODEL)}`, { rate: "0.5" });
  await fetchWithKey(`${gateway.baseUrl}/organization/providers/${DELETED}`, {
    method: "DELETE",
    key: gateway.adminKey,
  });
  // Folds the log into the database file.
  await gateway.restart();
});
afterAll(() => gateway.close());

/** Writes around all triggers, and restores the triggers afterwards. */
function forge(statements: readonly string[]): string {
  const path = join(folder, `${copies++}.sqlite`);
  using source = new Database(gateway.databasePath, { readonly: true });
  source.prepare("VACUUM INTO ?").run(path);
  using database = new Database(path);
  const triggers = database
    .query<{ name: string; sql: string }, []>("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    .all();
  for (const { name } of triggers) database.run(`DROP TRIGGER ${name}`);
  for (const statement of statements) database.run(statement);
  for (const { sql } of triggers) database.run(sql);
  return path;
}

const listFaults = (path: string) =>
  examine(path, gateway.runtime.clock.nowMs()).flatMap(({ title, faults }) =>
    faults.map((fault) => `${title.split(" ")[0]} ${fault}`),
  );

test("a store that only the gateway has written has no fault", () => {
  expect(listFaults(forge([]))).toEqual([]);
});

test.each([
  ["all", "true"],
  ["those before the last change", "type GLOB '*.created'"],
])("rows are explained by former events that masked ids: %s", (_, condition) => {
  const masked = [KEPT, DELETED, MODEL].reduce(
    (sql, id) => `replace(${sql}, '${id}', '${maskSecrets(id)}')`,
    "changes",
  );
  const faults = listFaults(forge([`UPDATE audit_logs SET changes = ${masked} WHERE ${condition}`]));
  expect(faults.filter((fault) => fault.startsWith("I12"))).toEqual([]);
});

test.each([
  [
    "an invented payment with balances to match",
    [
      "INSERT INTO ledger_entries (id, kind, amount, created_at_ms) VALUES ('txn_x', 'payment', 5000000000, 1)",
      "UPDATE accounts SET balance = balance + 5000000000 WHERE name = 'balance'",
      "UPDATE accounts SET balance = balance - 5000000000 WHERE name = 'payments'",
    ],
    "I12 ledger_entries txn_x is in no audit event",
  ],
  [
    "a payment that was made larger, with balances to match",
    [
      "UPDATE ledger_entries SET amount = amount + 1000000000 WHERE reference = 'Invoice 7'",
      "UPDATE accounts SET balance = balance + 1000000000 WHERE name = 'balance'",
      "UPDATE accounts SET balance = balance - 1000000000 WHERE name = 'payments'",
    ],
    'has amount "26.00", and its last audit event says "25.00"',
  ],
  [
    "a role that allows more",
    [`UPDATE roles SET permissions = '["api.keys.write"]' WHERE name = 'Auditors'`],
    "has permissions",
  ],
  [
    "a limit that was raised",
    ["UPDATE rate_limits SET max_requests_per_1_minute = 500"],
    "rate_limits rl_sandbox-echo of",
  ],
  ["a limit that is gone", ["DELETE FROM rate_limits"], "is gone, and no event says so"],
  [
    "a price that was lowered",
    ["UPDATE model_prices SET rate = '0.001' WHERE model = 'sandbox-echo'"],
    'has rate "0.001"',
  ],
  ["a spend limit that was raised", ["UPDATE spend_limits SET amount = 1 << 40"], "spend_limits proj_"],
  [
    "an admin key that was made good for another",
    ["UPDATE admin_api_keys SET hash = hex(randomblob(32))"],
    "admin_api_keys key_",
  ],
  [
    "an admin key from nowhere",
    [
      "INSERT INTO admin_api_keys (id, name, role_id, hash, last_four, created_at_ms) VALUES ('key_x', 'X', 'role_owner', 'x', 'xxxx', 1)",
    ],
    "I12 admin_api_keys key_x is in no audit event",
  ],
  [
    "a project that was renamed",
    ["UPDATE projects SET name = 'Mine'"],
    'has name "Mine", and its last audit event says "Default project"',
  ],
  [
    "a group with a column that no event has",
    ["ALTER TABLE groups ADD COLUMN powers TEXT", "UPDATE groups SET powers = 'all'"],
    'has powers "all", of which no audit event tells',
  ],
] as const)("%s is told", (_what, statements, fault) => {
  const faults = listFaults(forge(statements));
  expect(faults.filter((line) => line.startsWith("I12") && line.includes(fault))).toHaveLength(1);
});

test("reports an event that is no longer JSON in a sentence, and checks everything else", () => {
  const faults = listFaults(forge(["UPDATE audit_logs SET changes = changes || '0' WHERE seq = 2"]));
  expect(
    faults.filter((line) => line.startsWith("I12 What stands in the database can't be read")),
  ).toHaveLength(1);
  expect(faults.length).toBeGreaterThan(1);
});

test.each([
  ["gone", ["DROP TRIGGER roles_audit_update"], "The trigger roles_audit_update is gone"],
  [
    "emptied",
    [
      "DROP TRIGGER roles_audit_update",
      "CREATE TRIGGER roles_audit_update AFTER UPDATE ON roles BEGIN SELECT 1; END",
    ],
    "The trigger roles_audit_update is another",
  ],
  [
    "without teeth",
    [
      "DROP TRIGGER audit_logs_are_not_deleted",
      "CREATE TRIGGER audit_logs_are_not_deleted BEFORE DELETE ON audit_logs BEGIN SELECT 1; END",
    ],
    "The trigger audit_logs_are_not_deleted refuses nothing any more",
  ],
  [
    "all gone",
    ["DROP TRIGGER roles_audit_insert", "DROP TRIGGER roles_audit_update", "DROP TRIGGER roles_audit_delete"],
    "The trigger roles_audit_insert is gone",
  ],
])("a trigger that is %s is told", (_what, statements, fault) => {
  const path = join(folder, `${copies++}.sqlite`);
  copyFileSync(forge([]), path);
  {
    using database = new Database(path);
    for (const statement of statements) database.run(statement);
  }
  expect(listFaults(path).filter((line) => line.includes(fault))).toHaveLength(1);
});
