import { expect, test } from "bun:test";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { fetchWithKey, send } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { dropTrigger, queryDatabase } from "../../support/stored-data/query-database";

let gateway: ServedGateway;

serveForAll((served) => {
  gateway = served;
});

const ask = (path: string) =>
  send(`${gateway.baseUrl}/organization/audit_logs${path}`, { key: gateway.adminKey });
async function listTypes(query: string): Promise<string[]> {
  const { status, body } = await ask(`?${query}`);
  expect(status).toBe(200);
  return (body as unknown as { data: AuditLog[] }).data.map(({ type }) => type);
}

test("events are found by a word of the change, in any case, and only by visible text", async () => {
  await gateway.admin("POST", "/organization/groups", { name: 'Zürich 100% "A_B" team \\d' });
  expect(await listTypes("text=zürich")).toEqual(["group.created"]);
  expect(await listTypes("text=100%25")).toEqual(["group.created"]);
  expect(await listTypes(`text=${encodeURIComponent('"a_b"')}`)).toEqual(["group.created"]);
  expect(await listTypes(`text=${encodeURIComponent("team \\D")}`)).toEqual(["group.created"]);
  expect(await listTypes("text=a%25b")).toEqual([]);
  expect(await listTypes("text=GROUP.created")).toEqual(["group.created"]);
  expect(await listTypes("text=created_at_ms")).toEqual([]);
  const [key] = await queryDatabase<{ hash: string }>(gateway, "SELECT hash FROM admin_api_keys");
  expect(await listTypes(`text=${key?.hash.slice(-8)}`)).toEqual([]);
  expect((await ask("?text=")).status).toBe(400);
});

test("events are found by the address they came from", async () => {
  expect(await listTypes("ip_addresses=127.0.0.1&event_types=group.created")).toEqual(["group.created"]);
  expect(await listTypes("ip_addresses=192.0.2.1")).toEqual([]);
});

test("an event names its object by the current name, and is found by its id", async () => {
  const { id } = await gateway.admin<{ id: string }>("POST", "/organization/groups", { name: "Before" });
  await gateway.admin("POST", `/organization/groups/${id}/roles`, { role_id: "role_reader" });
  await gateway.admin("POST", `/organization/groups/${id}`, { name: "After" });
  const { body } = await ask(`?resource_ids=${id}&event_types=role.assignment.created`);
  const [event] = (body as unknown as { data: AuditLog[] }).data;
  expect(event?.changes).toMatchObject([{ name: "Reader", subject_id: id, subject_name: "After" }]);
  expect(event?.actor?.api_key).toMatchObject({ name: "First admin key" });
  expect((await ask(`/${event?.id}`)).body).toEqual(event as never);
  expect((await ask("/audit_none")).status).toBe(404);
});

test("a list can leave out all but the first changes of an event, and says how many", async () => {
  const list = async (query: string) =>
    ((await ask(`?limit=100${query}`)).body as unknown as { data: AuditLog[] }).data;
  const all = await list("");
  const short = await list("&max_changes=1");
  expect(all.some(({ changes }) => changes.length > 1)).toBe(true);
  for (const [index, event] of all.entries()) {
    const { changes, more_changes: more = 0, ...rest } = short[index] as AuditLog;
    const { changes: allChanges, ...allRest } = event;
    expect(changes).toEqual(allChanges.slice(0, 1));
    expect([more, rest]).toEqual([Math.max(0, allChanges.length - 1), allRest]);
  }
  expect((await ask("?max_changes=few")).status).toBe(400);
});

test("the events of the first saved limit and price show the defaults that they replace", async () => {
  const { projectId } = gateway;
  await gateway.admin("POST", `/organization/projects/${projectId}/rate_limits/rl_sandbox-echo`, {
    max_requests_per_1_minute: 3,
  });
  await gateway.admin("POST", "/organization/models/sandbox-echo", { rate: "0.4" });
  const { body } = await ask("?limit=2");
  const [model, limit] = (body as unknown as { data: AuditLog[] }).data;
  expect(limit?.changes[0]).toMatchObject({
    before: null,
    default_before: { max_requests_per_1_minute: 600 },
  });
  expect(model?.changes[0]).toMatchObject({ default_before: { rate: "0.50" }, after: { rate: "0.4" } });
  await gateway.admin("POST", "/organization/models/sandbox-echo", { rate: "0.3" });
  const [again] = ((await ask("?limit=1")).body as unknown as { data: AuditLog[] }).data;
  expect(again?.changes[0]).toMatchObject({ before: { rate: "0.4" }, default_before: null });
});

test("the chain is recomputed up to its head, and the event that was rewritten is named", async () => {
  const first = (await ask("/verification")).body;
  const head = (await ask("/head")).body;
  expect(first).toMatchObject({ length: head.length, hash: head.hash, fault: null });
  await gateway.admin("POST", "/organization/groups", { name: "One more" });
  const { body: second } = await ask("/verification");
  expect(second).toMatchObject({ length: Number(head.length) + 1, fault: null });

  await dropTrigger(gateway, "audit_logs_are_not_changed", "audit_logs");
  await queryDatabase(gateway, "UPDATE audit_logs SET actor_ip = '192.0.2.1' WHERE seq = 2");
  gateway.pass(61_000);
  const { body: third } = await ask("/verification");
  const { fault } = third as unknown as { fault: { audit_log_id: string; message: string } };
  expect(third.length).toBe(1);
  expect(fault.message).toContain("is not as it was written");
  expect(fault.audit_log_id).toStartWith("audit_");
});

test("an export says which head it ends with", async () => {
  const exported = await fetchWithKey(`${gateway.baseUrl}/organization/audit_logs?text=team`, {
    key: gateway.adminKey,
    headers: { accept: "application/x-ndjson" },
  });
  const { length, hash } = (await ask("/head")).body;
  expect(exported.headers.get("x-gatehouse-audit-head")).toBe(`${length}:${hash}`);
  expect((await exported.text()).trim().split("\n")).toHaveLength(1);
});
