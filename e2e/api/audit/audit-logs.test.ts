import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type OpenAI from "openai";
import type { AuditLogListParams } from "openai/resources/admin/organization/audit-logs";
import { auditEvents } from "@/lib/contract/access/audit-events";
import { operations } from "@/lib/contract/operation-table";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { verifyAuditChain } from "@/lib/gateway/changes/audit/audit-chain.sql";
import { isOnPostgres } from "@/lib/gateway/database/testing/open-temporary-database";
import { catchRefusal, collectAll } from "../../support/clients/official-client";
import { send } from "../../support/clients/send";
import { serveStaffedGateway } from "../../support/gateways/serve-staffed-gateway";
import {
  type Body,
  type CreatedIds,
  everyChange,
  makeFirst,
  PROVIDER_KEY,
  type Step,
  testedElsewhere,
} from "../../support/operations/every-change";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";
import { queryDatabase, readStored } from "../../support/stored-data/query-database";

type Staffed = Awaited<ReturnType<typeof serveStaffedGateway>>;

const secrets = new Set<string>([PROVIDER_KEY]);
/** Ids made by the steps, by the parameter names of later paths. */
const made: CreatedIds = {};
let staffed: Staffed;
let client: OpenAI;

beforeAll(async () => {
  staffed = await serveStaffedGateway();
  client = staffed.client;
  const { gateway, members } = staffed;
  Object.assign(made, await makeFirst(staffed));
  for (const secret of [gateway.adminKey, gateway.key, members.ada.token, members.lead.token])
    secrets.add(secret);
});
afterAll(async () => {
  expect(await findDoctorFaults(staffed.gateway)).toEqual([]);
  await staffed.gateway.close();
});

test("the steps cover every audited operation", () => {
  expect([...new Set([...everyChange.map(({ id }) => id), ...testedElsewhere])].toSorted()).toEqual(
    (Object.keys(auditEvents) as Step["id"][]).toSorted(),
  );
});

async function headLength(): Promise<number> {
  return (await listed("limit=1")).head.length;
}

async function listed(query: string) {
  const { status, body } = await send(`${staffed.gateway.baseUrl}/organization/audit_logs?${query}`, {
    key: staffed.gateway.adminKey,
  });
  expect(status).toBe(200);
  return body as unknown as { data: AuditLog[]; head: { length: number; hash: string } };
}

function ask({ id }: Step, key: string, body: Body | undefined) {
  const { method, path } = operations[id];
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => made[name] ?? "none");
  return send(staffed.gateway.baseUrl + filled, { method, key, body });
}

/** Changes of many rows, each of which has an event of its own. */
const eventsOfRows: Partial<Record<Step["id"], number>> = {
  createRateLimitChanges: 1,
  undoRateLimitChanges: 1,
  changeProjectApiKeys: 1,
};

describe("each change is one event, and a refused one none", () => {
  test.each(everyChange.map((step, index) => [`${index + 1} ${step.id}`, step] as const))(
    "%s",
    async (_, step) => {
      staffed.gateway.pass(1_000);
      const before = await headLength();
      const wrong = await ask(
        step,
        `gk_admin_${"0".repeat(49)}`,
        step.id === "createSession" ? { key: "no" } : step.body?.(made),
      );
      expect(wrong.status).toBe(401);
      if (step.body) {
        const { status } = await ask(step, staffed.gateway.adminKey, {
          ...step.body(made),
          no_such_field: true,
        });
        expect(status).toBe(400);
      }
      if (step.as === undefined && step.id !== "createSession") {
        expect((await ask(step, staffed.gateway.key, step.body?.(made))).status).toBeOneOf([403, 404]);
      }
      expect(await headLength()).toBe(before);

      const key = step.as === undefined ? staffed.gateway.adminKey : (made[step.as] ?? "");
      const done = await ask(step, key, step.body?.(made));
      expect(done.error).toEqual({});
      for (const secret of findSecrets(done.body)) secrets.add(secret);
      if (step.keeps) made[step.keeps] = String(done.body.id ?? "");
      if (typeof done.body.token === "string") made[`${step.keeps}_token`] = done.body.token;
      if (typeof done.body.token === "string") secrets.add(done.body.token);

      const { data, head } = await listed("limit=1");
      expect(head.length).toBe(before + 1 + (eventsOfRows[step.id] ?? 0));
      expect(data[0]).toMatchObject({
        type: auditEvents[step.id],
        request_id: done.headers.get("x-request-id") ?? "",
        effective_at: Math.floor(staffed.gateway.runtime.clock.nowMs() / 1000),
      });
      expect(data[0]?.[auditEvents[step.id]]).toMatchObject({ id: expect.any(String) });
      expect(data[0]?.actor?.type).toBe(step.id.includes("Session") ? "session" : "api_key");

      // A deleted object can't be deleted again, and no event says that it was.
      if (operations[step.id].method === "DELETE") {
        expect((await ask(step, key, undefined)).status).toBeGreaterThanOrEqual(400);
        expect(await headLength()).toBe(before + 1);
      }
    },
  );
});

/** The secrets in a reply, which are shown only once. */
function findSecrets(reply: unknown): string[] {
  return JSON.stringify(reply).match(/\b(gk_live_|gk_admin_|gs_|gi_|gl_)[0-9A-Za-z_-]{20,}/g) ?? [];
}

test("no secret is in the log, in the reply or in the file", async () => {
  expect(secrets.size).toBeGreaterThan(10);
  const { data } = await listed("limit=1000");
  const reply = JSON.stringify(data);
  const { gateway } = staffed;
  const stored = JSON.stringify(await queryDatabase(gateway, "SELECT * FROM audit_logs"));
  const files = await readStored(gateway);
  for (const text of [reply, stored, files]) {
    expect(text.includes("project.archived")).toBe(true);
    for (const secret of secrets) expect(text.includes(secret)).toBe(false);
  }
  const hashes = await queryDatabase<{ hash: string }>(gateway, "SELECT hash FROM project_api_keys");
  for (const { hash } of hashes) expect(stored.includes(hash)).toBe(false);
});

test("a key typed where a name belongs is masked", async () => {
  const name = `My key ${staffed.gateway.key}`;
  await client.admin.organization.projects.create({ name });
  const [event] = (await listed("limit=1")).data;
  expect(event?.["project.created"]).toMatchObject({ data: { name: "My key gk_live_***" } });
});

test("the official SDK pages through the log, newest first, and back", async () => {
  const { auditLogs } = client.admin.organization;
  const all = await collectAll(auditLogs.list({ limit: 7 }));
  const { head } = await listed("limit=1");
  expect(all.length).toBe(head.length);
  expect(new Set(all.map(({ id }) => id)).size).toBe(head.length);
  expect((await auditLogs.list()).data.length).toBe(20);
  const page = await auditLogs.list({ after: all[9]?.id ?? "", limit: 3 });
  expect(page.data.map(({ id }) => id)).toEqual(all.slice(10, 13).map(({ id }) => id));
  const back = await auditLogs.list({ before: all[9]?.id ?? "", limit: 3 });
  expect(back.data.map(({ id }) => id)).toEqual(all.slice(6, 9).map(({ id }) => id));
  expect(all.at(-1)?.type as string).toBe("organization.created");
});

test("each of OpenAI's filters selects the matching events", async () => {
  const { auditLogs } = client.admin.organization;
  const all = await collectAll(auditLogs.list({ limit: 1000 }));
  const listTypes = async (query: AuditLogListParams) =>
    (await collectAll(auditLogs.list({ ...query, limit: 50 }))).map(({ type }) => type as string);
  expect(await listTypes({ event_types: ["role.created", "role.deleted"] })).toEqual([
    "role.deleted",
    "role.created",
    "role.deleted",
    "role.created",
  ]);
  expect(await listTypes({ event_types: ["certificate.created"] })).toEqual([]);
  const ofProject = await listTypes({ project_ids: [made.project_id ?? ""] });
  expect(ofProject.at(-1)).toBe("project.created");
  expect(ofProject[0]).toBe("project.archived");
  expect(ofProject).toContain("rate_limit.updated");
  expect(ofProject).not.toContain("payment.created");
  expect(await listTypes({ resource_ids: [made.invite_id ?? ""] })).toEqual([
    "invite.deleted",
    "invite.sent",
  ]);
  expect(await listTypes({ resource_ids: [made.user_id ?? ""] })).toContain("role.assignment.created");
  expect(await listTypes({ actor_ids: ["key_nobody"] })).toEqual([]);
  expect(await listTypes({ actor_ids: [made.session_id ?? ""] })).toEqual([
    "logout.succeeded",
    "login.succeeded",
  ]);
  const at = all[20]?.effective_at ?? 0;
  for (const [name, fits] of [
    ["gt", (time: number) => time > at],
    ["gte", (time: number) => time >= at],
    ["lt", (time: number) => time < at],
    ["lte", (time: number) => time <= at],
  ] as const) {
    const expected = all.filter(({ effective_at }) => fits(effective_at)).map(({ id }) => id);
    const found = await collectAll(auditLogs.list({ effective_at: { [name]: at }, limit: 100 }));
    expect(found.map(({ id }) => id)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(0);
  }
});

test("a member is named by id and address, and found by both", async () => {
  const { lead } = staffed.members;
  const { projectId } = staffed;
  const own = staffed.as(lead.token).admin.organization.projects;
  await own.rateLimits.updateRateLimit("rl_sandbox-slow", {
    project_id: projectId,
    max_requests_per_1_minute: 5,
  });
  for (const query of [{ actor_emails: ["Lead@example.com"] }, { actor_ids: [lead.id] }]) {
    const event_types = ["rate_limit.updated" as const];
    const found = client.admin.organization.auditLogs.list({ ...query, event_types });
    const [event, ...more] = await collectAll(found);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      type: "rate_limit.updated",
      actor: { type: "session", session: { user: { id: lead.id, email: "lead@example.com" } } },
      project: { id: projectId, name: "Default project" },
      "rate_limit.updated": { id: "rl_sandbox-slow" },
    });
  }
});

test("refuses invalid queries, and callers without the permission", async () => {
  const { auditLogs } = client.admin.organization;
  const refused = await catchRefusal(auditLogs.list({ after: "audit_none" }));
  expect(refused).toMatchObject({ status: 400, param: "after" });
  expect(await catchRefusal(auditLogs.list({ limit: 0 }))).toMatchObject({ status: 400, param: "limit" });
  const since = auditLogs.list({ effective_at: { gt: -1 } });
  expect(await catchRefusal(since)).toMatchObject({ status: 400, param: "effective_at[gt]" });
  const asProject = staffed.as(staffed.gateway.key).admin.organization.auditLogs;
  expect(await catchRefusal(asProject.list())).toMatchObject({ status: 403, code: "missing_permission" });
});

// It reads the file of the embedded store.
test.skipIf(isOnPostgres)(
  "the chain holds from the first start on, and its head is the one the list exports",
  async () => {
    const { head } = await listed("limit=1");
    using sqlite = new Database(staffed.gateway.databasePath, { readonly: true, safeIntegers: true });
    expect(verifyAuditChain(sqlite, head)).toEqual({ fault: null, head });
    const { gateway } = staffed;
    const exported = await send(`${gateway.baseUrl}/organization/audit_logs/head`, { key: gateway.adminKey });
    const [last] = (await listed("limit=1")).data;
    expect(exported.body).toEqual({
      object: "organization.audit_log.head",
      ...head,
      effective_at: last?.effective_at,
    });
  },
);
