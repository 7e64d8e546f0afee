import { expect, test } from "bun:test";
import type OpenAI from "openai";
import { DAY_MS } from "@/lib/contract/durations";
import { isOnPostgres } from "@/lib/gateway/database/testing/open-temporary-database";
import { catchRefusal, expectRefusals, officialClient } from "../../support/clients/official-client";
import { send } from "../../support/clients/send";
import { centModel } from "../../support/gateways/cent-model";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let organization: OpenAI["admin"]["organization"];

const cents = (threshold_amount: number) => ({
  currency: "USD" as const,
  interval: "month" as const,
  threshold_amount,
});

serveForEach(async (served) => {
  gateway = served;
  organization = createClient(gateway.adminKey).admin.organization;
  await gateway.admin("POST", "/organization/models", centModel);
});

function createClient(key: string): OpenAI {
  return officialClient(gateway.baseUrl, key);
}

function ask(content: string, max_tokens: number) {
  const messages = [{ role: "user" as const, content }];
  return createClient(gateway.key).chat.completions.create({ model: centModel.id, messages, max_tokens });
}

async function spentCents(): Promise<number> {
  const { posted } = await gateway.admin<{ posted: string }>("GET", "/organization/balance");
  return Math.round(1000 - Number(posted) * 100);
}

test("answers exactly as many concurrent calls as the month's limit covers", async () => {
  const { spendLimit } = organization.projects;
  const { projectId } = gateway;
  const saved = await spendLimit.update(projectId, cents(5));
  expect<object>(saved).toEqual({
    object: "project.spend_limit",
    currency: "USD",
    interval: "month",
    threshold_amount: 5,
    enforcement: { status: "inactive" },
    version: expect.any(String),
  });
  expect(await spendLimit.retrieve(projectId)).toEqual(saved);
  const calls = await Promise.allSettled(Array.from({ length: 20 }, () => ask("one", 1)));
  const refused = calls.flatMap((call) => (call.status === "rejected" ? [call.reason] : []));
  expect([refused.length, await spentCents()]).toEqual([15, 5]);
  for (const error of refused) {
    expect(error).toMatchObject({
      status: 402,
      type: "insufficient_balance",
      code: "spend_limit",
      error: { spend_limit: { project: projectId, required: "0.01", currency: "USD" } },
    });
    expect(error.error.spend_limit).not.toContainAnyKeys(["threshold", "spent"]);
  }
  expect((await spendLimit.retrieve(projectId)).enforcement.status).toBe("enforcing");

  await gateway.restart();
  expect(await catchRefusal(ask("one", 1))).toMatchObject({ code: "spend_limit" });
  await spendLimit.update(projectId, cents(7));
  const { response } = await ask("one two three", 3).withResponse();
  expect(response.headers.get("x-gatehouse-max-tokens")).toBe("2");
  expect(await spentCents()).toBe(7);
  gateway.pass(31 * DAY_MS);
  expect((await ask("one", 1)).choices.length).toBe(1);
  expect((await spendLimit.retrieve(projectId)).enforcement.status).toBe("inactive");
  expect(await spendLimit.delete(projectId)).toEqual({
    object: "project.spend_limit.deleted",
    deleted: true,
  });
  expect((await ask("one two three four five six seven eight", 8)).choices.length).toBe(1);
  expect(await catchRefusal(spendLimit.retrieve(projectId))).toMatchObject({ status: 404 });
});

test("the organization's limit applies to every project, in addition to its own", async () => {
  const { spendLimit, projects } = organization;
  expect(await catchRefusal(spendLimit.retrieve())).toMatchObject({ status: 404, code: "object_not_found" });
  expect(await spendLimit.update(cents(2))).toMatchObject({ object: "organization.spend_limit" });
  await projects.spendLimit.update(gateway.projectId, cents(100));
  await ask("one two", 2);
  expect(await catchRefusal(ask("one", 1))).toMatchObject({ error: { spend_limit: { project: null } } });
  const byOwner = await send(`${gateway.baseUrl}/chat/completions`, {
    method: "POST",
    key: gateway.adminKey,
    headers: { "openai-project": gateway.projectId },
    body: { model: centModel.id, messages: [{ role: "user", content: "one" }], max_tokens: 1 },
  });
  expect(byOwner.error.spend_limit).toMatchObject({ threshold: "0.02", spent: "0.02" });
  const other = await projects.create({ name: "Other" });
  const { api_key } = await projects.serviceAccounts.create(other.id, { name: "Theirs" });
  const theirs = createClient(api_key?.value ?? "").chat.completions;
  const call = { model: centModel.id, messages: [{ role: "user" as const, content: "one" }], max_tokens: 1 };
  expect(await catchRefusal(theirs.create(call))).toMatchObject({ status: 402, code: "spend_limit" });
  const free = { ...call, model: "sandbox-echo" };
  expect(await catchRefusal(theirs.create(free))).toMatchObject({ code: "spend_limit" });
  expect(await spendLimit.delete()).toEqual({ object: "organization.spend_limit.deleted", deleted: true });
  expect((await theirs.create(call)).choices.length).toBe(1);
});

test.each([-70, 70])(
  "a start with the clock %d days off refills no limit once it is corrected",
  async (days) => {
    const stepMs = days * DAY_MS;
    await organization.spendLimit.update(cents(3));
    await ask("one two three", 3);
    await gateway.restart(async () => gateway.stepWallClock(stepMs));
    // On PostgreSQL its clock counts, so that no limit is refilled to begin with.
    if (isOnPostgres) expect(await catchRefusal(ask("one", 1))).toMatchObject({ code: "spend_limit" });
    else expect((await ask("one", 1)).choices).toHaveLength(1);
    gateway.stepWallClock(-stepMs);
    expect(await catchRefusal(ask("one", 1))).toMatchObject({ code: "spend_limit" });
    await organization.spendLimit.delete();
    await organization.projects.spendLimit.update(gateway.projectId, cents(3));
    expect(await catchRefusal(ask("one", 1))).toMatchObject({ code: "spend_limit" });
  },
);

test("refuses invalid spend limits with the reason", async () => {
  const { spendLimit, projects } = organization;
  const { projectId } = gateway;
  const archived = await projects.create({ name: "Archived" });
  await projects.archive(archived.id);
  const own = createClient(gateway.key).admin.organization;
  await expectRefusals([
    [spendLimit.update({ ...cents(1), currency: "EUR" } as never), { status: 400, param: "currency" }],
    [spendLimit.update({ ...cents(1), interval: "day" } as never), { status: 400, param: "interval" }],
    [spendLimit.update(cents(1.5)), { status: 400, param: "threshold_amount" }],
    [spendLimit.update(cents(-1)), { status: 400, param: "threshold_amount" }],
    [projects.spendLimit.update(projectId, {} as never), { status: 400, code: "missing_field" }],
    [createClient("gk_admin_no").admin.organization.spendLimit.retrieve(), { status: 401 }],
    [own.spendLimit.retrieve(), { status: 403, code: "missing_permission" }],
    [own.projects.spendLimit.update(projectId, cents(1)), { status: 403 }],
    [spendLimit.delete(), { status: 404 }],
    [projects.spendLimit.delete(projectId), { status: 404, param: "project_id" }],
    [projects.spendLimit.update("proj_none", cents(1)), { status: 404, param: "project_id" }],
    [projects.spendLimit.update(archived.id, cents(1)), { status: 409, code: "project_archived" }],
  ]);
});
