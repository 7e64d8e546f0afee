import { expect, test } from "bun:test";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
serveForAll((served) => {
  gateway = served;
});

const ask = (method: "GET" | "POST", path: string, body?: object, key = gateway.adminKey) =>
  createOrganizationClient(gateway.baseUrl)(method, path, body, key);

test("the organization is renamed, and an invitation says its new name at once", async () => {
  expect((await ask("GET", "/settings")).body).toMatchObject({ name: "Organization", currency: "USD" });
  expect((await ask("POST", "/settings", { name: "Acme Robotics" })).body).toMatchObject({
    object: "organization.settings",
    name: "Acme Robotics",
  });
  const { body } = await ask("POST", "/invites", { email: "ada@example.com", role: "reader" });
  expect((await ask("POST", "/invites/preview", { token: body.token })).body).toMatchObject({
    organization: { name: "Acme Robotics" },
  });
  expect((await ask("GET", "/me")).body).toMatchObject({ organization: { name: "Acme Robotics" } });
  const events = (await ask("GET", "/audit_logs?limit=10")).body.data as { type: string }[];
  expect(events.map(({ type }) => type)).toContain("organization.updated");
});

test("who may not rename it is refused, and an empty name names its field", async () => {
  expect((await ask("GET", "/settings", undefined, gateway.key)).status).toBe(200);
  expect((await ask("POST", "/settings", { name: "Mine" }, gateway.key)).status).toBe(403);
  expect((await ask("POST", "/settings", { name: " " })).error).toMatchObject({ param: "name" });
});
