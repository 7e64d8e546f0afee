import { expect, test } from "bun:test";
import type OpenAI from "openai";
import { HOUR_S } from "@/lib/contract/durations";
import { catchRefusal, officialClient } from "../../support/clients/official-client";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let organization: OpenAI["admin"]["organization"];
serveForAll((served) => {
  gateway = served;
  organization = officialClient(gateway.baseUrl, gateway.adminKey).admin.organization;
});

const lastEvents = async () => (await organization.auditLogs.list({ limit: 1 })).data.map(({ id }) => id);

test("a project is created with the SDK's fields; unsupported ones are refused by name", async () => {
  const { projects } = organization;
  const nothing = { external_key_id: null, geography: null, residency: null };
  const project = await projects.create({ name: "Checkout", ...nothing });
  expect(project.name).toBe("Checkout");
  for (const [field, value] of Object.entries({ geography: "EU", external_key_id: "k", residency: {} })) {
    const refusal = await catchRefusal(projects.create({ name: "Elsewhere", [field]: value }));
    expect([refusal.status, refusal.param]).toEqual([400, field]);
    expect(refusal.message).toContain(`${field} is not supported by this gateway: leave it out.`);
  }
});

test("a service account's key is created with all that the SDK declares, or the field is named", async () => {
  const { serviceAccounts } = organization.projects;
  const { id } = await serviceAccounts.create(gateway.projectId, {
    name: "Crawler",
    create_service_account_only: true,
    expires_in_seconds: null,
  });
  const place = { project_id: gateway.projectId };
  const key = await serviceAccounts.apiKeys.create(id, {
    ...place,
    name: "Night",
    expires_in_seconds: HOUR_S,
  });
  expect(key.name).toBe("Night");
  const refusal = await catchRefusal(
    serviceAccounts.apiKeys.create(id, { ...place, scopes: ["api.model.read"] }),
  );
  expect([refusal.status, refusal.param]).toEqual([400, "scopes"]);
});

test("usage of completions takes all that the SDK declares", async () => {
  const page = await organization.usage.completions({
    start_time: 1_700_000_000,
    end_time: 1_700_086_400,
    api_key_ids: ["key_1"],
    batch: false,
    bucket_width: "1d",
    group_by: ["project_id", "user_id", "api_key_id", "model", "batch", "service_tier", "api_source"],
    limit: 1,
    models: ["sandbox-echo"],
    project_ids: [gateway.projectId],
    user_ids: ["user_1"],
  });
  expect(page.data).toHaveLength(1);
});

test("an update without a field changes nothing, is no event, and answers with the object", async () => {
  const { projects, roles } = organization;
  const project = await projects.create({ name: "Still" });
  const role = await roles.create({ role_name: "Still", permissions: ["api.roles.read"] });
  const projectRole = await projects.roles.create(project.id, {
    role_name: "Still",
    permissions: ["api.roles.read"],
  });
  const account = await projects.serviceAccounts.create(project.id, { name: "Still" });
  const place = { project_id: project.id };
  const before = await lastEvents();
  expect(await projects.update(project.id, {})).toMatchObject({ id: project.id, name: "Still" });
  expect(await projects.update(project.id, { name: null })).toMatchObject({ name: "Still" });
  expect(await roles.update(role.id, {})).toMatchObject({ id: role.id, name: "Still" });
  expect(await projects.roles.update(projectRole.id, place)).toMatchObject({ id: projectRole.id });
  expect(await projects.serviceAccounts.update(account.id, place)).toMatchObject({ id: account.id });
  expect(await lastEvents()).toEqual(before);
});

test("an update of rate limits sets at least one", async () => {
  const { projects } = organization;
  const project = await projects.create({ name: "Without limits" });
  const place = { project_id: project.id };
  const refusal = await catchRefusal(projects.rateLimits.updateRateLimit("rl_sandbox-echo", place));
  expect([refusal.status, refusal.message]).toEqual([400, expect.stringContaining("at least one of")]);
});

test("an update without a field of what there is not is still a 404", async () => {
  const refusal = await catchRefusal(organization.projects.update("proj_none", {}));
  expect([refusal.status, refusal.code]).toEqual([404, "object_not_found"]);
});
