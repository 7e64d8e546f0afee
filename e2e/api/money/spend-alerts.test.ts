import { expect, test } from "bun:test";
import type OpenAI from "openai";
import { DAY_MS, DAY_S } from "@/lib/contract/durations";
import {
  catchRefusal,
  collectAll,
  expectRefusals,
  officialClient,
} from "../../support/clients/official-client";
import { centModel } from "../../support/gateways/cent-model";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let organization: OpenAI["admin"]["organization"];

const buildDraft = (threshold_amount: number) => ({
  currency: "USD" as const,
  interval: "month" as const,
  threshold_amount,
  notification_channel: {
    type: "email" as const,
    recipients: ["ada@example.com"],
    subject_prefix: "[spend]",
  },
});

serveForEach(async (served) => {
  gateway = served;
  organization = createClient(gateway.adminKey).admin.organization;
  await gateway.admin("POST", "/organization/models", centModel);
});

function createClient(key: string): OpenAI {
  return officialClient(gateway.baseUrl, key);
}

function ask(content: string) {
  const messages = [{ role: "user" as const, content }];
  return createClient(gateway.key).chat.completions.create({ model: centModel.id, messages, max_tokens: 9 });
}

const firedAt = (alert: object) => ("last_fired_at" in alert ? alert.last_fired_at : undefined);

test("an organization's alert is set, listed either way round, replaced and removed", async () => {
  const { spendAlerts } = organization;
  const created = await spendAlerts.create(buildDraft(500));
  expect<object>(created).toEqual({
    object: "organization.spend_alert",
    id: created.id,
    ...buildDraft(500),
    last_fired_at: null,
    version: expect.any(String),
  });
  expect(await spendAlerts.retrieve(created.id)).toEqual(created);
  gateway.pass(1);
  const plain = {
    ...buildDraft(900),
    notification_channel: { type: "email" as const, recipients: ["bo@example.com"] },
  };
  const second = await spendAlerts.create(plain);
  expect(second.notification_channel.subject_prefix).toBeNull();
  const amounts = async (order?: "asc" | "desc") =>
    (await collectAll(spendAlerts.list({ limit: 1, ...(order && { order }) }))).map(
      (one) => one.threshold_amount,
    );
  expect([await amounts(), await amounts("desc")]).toEqual([
    [500, 900],
    [900, 500],
  ]);
  const changed = await spendAlerts.update(created.id, buildDraft(700));
  expect<object>(changed).toEqual({ ...created, threshold_amount: 700, version: expect.any(String) });
  await gateway.restart();
  expect(await spendAlerts.retrieve(created.id)).toEqual(changed);
  expect(await spendAlerts.delete(created.id)).toEqual({
    object: "organization.spend_alert.deleted",
    id: created.id,
    deleted: true,
  });
  expect(await catchRefusal(spendAlerts.retrieve(created.id))).toMatchObject({
    status: 404,
    param: "alert_id",
  });
});

test("an alert fires with the charge that reaches it, once a month, and remembers it after a restart", async () => {
  const { spendAlerts } = organization.projects;
  const project_id = gateway.projectId;
  const { id } = await spendAlerts.create(project_id, buildDraft(3));
  const all = await organization.spendAlerts.create(buildDraft(4));
  const fired = async () => firedAt(await spendAlerts.retrieve(id, { project_id }));
  await ask("one two");
  expect(await fired()).toBeNull();
  const now = async () => {
    const { created_at } = await organization.projects.create({ name: "Clock" });
    return created_at;
  };
  gateway.pass(10_000);
  await ask("one");
  const first = await now();
  expect(await fired()).toBe(first);
  expect(firedAt(await organization.spendAlerts.retrieve(all.id))).toBeNull();
  gateway.pass(10_000);
  await ask("one");
  await gateway.restart();
  expect(await fired()).toBe(first);
  expect(firedAt(await organization.spendAlerts.retrieve(all.id))).toBe(first + 10);
  await spendAlerts.update(id, { project_id, ...buildDraft(2) });
  expect(await fired()).toBe(first + 10);
  gateway.pass(31 * DAY_MS);
  await ask("one two");
  expect(await fired()).toBe(first + 10 + 31 * DAY_S);
  expect((await spendAlerts.delete(id, { project_id })).object).toBe("project.spend_alert.deleted");
});

test("refuses invalid spend alerts with the reason", async () => {
  const { spendAlerts, projects } = organization;
  const project_id = gateway.projectId;
  const alert = await projects.spendAlerts.create(project_id, buildDraft(5));
  const other = await projects.create({ name: "Other" });
  const archived = await projects.create({ name: "Archived" });
  await projects.archive(archived.id);
  const own = createClient(gateway.key).admin.organization;
  const to = (recipients: string[]) => ({
    ...buildDraft(1),
    notification_channel: { type: "email" as const, recipients },
  });
  await expectRefusals([
    [spendAlerts.create(buildDraft(0)), { status: 400, param: "threshold_amount" }],
    [spendAlerts.create({ ...buildDraft(1), currency: "EUR" as never }), { status: 400, param: "currency" }],
    [spendAlerts.create({ ...buildDraft(1), interval: "day" as never }), { status: 400, param: "interval" }],
    [spendAlerts.create(to([])), { status: 400, param: "notification_channel.recipients" }],
    [spendAlerts.create(to(["nobody"])), { status: 400, param: "notification_channel.recipients.0" }],
    [spendAlerts.list({ after: "alert_none" }), { status: 400, param: "after" }],
    [createClient("gk_admin_no").admin.organization.spendAlerts.list(), { status: 401 }],
    [own.spendAlerts.list(), { status: 403, code: "missing_permission" }],
    [own.projects.spendAlerts.create(project_id, buildDraft(1)), { status: 403 }],
    [spendAlerts.retrieve(alert.id), { status: 404, param: "alert_id" }],
    [projects.spendAlerts.retrieve(alert.id, { project_id: other.id }), { status: 404, param: "alert_id" }],
    [projects.spendAlerts.update(alert.id, { project_id: other.id, ...buildDraft(1) }), { status: 404 }],
    [projects.spendAlerts.delete(alert.id, { project_id: other.id }), { status: 404 }],
    [projects.spendAlerts.list("proj_none"), { status: 404, param: "project_id" }],
    [projects.spendAlerts.create(archived.id, buildDraft(1)), { status: 409, code: "project_archived" }],
  ]);
  expect((await collectAll(projects.spendAlerts.list(project_id))).map(({ id }) => id)).toEqual([alert.id]);
});
