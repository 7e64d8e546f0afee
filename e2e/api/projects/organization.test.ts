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

/** The smallest PNG: one point. */
const PNG =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("the logo, the time zone and the number format are set one by one, told to everybody and taken away again", async () => {
  expect((await ask("GET", "/me")).body).toMatchObject({
    organization: { logo: null, time_zone: null, number_format: "comma" },
  });
  expect((await ask("POST", "/settings", { logo: PNG })).body).toMatchObject({ logo: PNG });
  const changed = await ask("POST", "/settings", { time_zone: "Europe/Berlin", number_format: "space" });
  const look = { logo: PNG, time_zone: "Europe/Berlin", number_format: "space" };
  expect(changed.body).toMatchObject(look);
  expect((await ask("GET", "/me", undefined, gateway.key)).body).toMatchObject({ organization: look });
  const { body } = await ask("POST", "/invites", { email: "grace@example.com", role: "reader" });
  expect((await ask("POST", "/invites/preview", { token: body.token })).body).toMatchObject({
    organization: { logo: PNG },
  });
  await gateway.restart();
  expect((await ask("GET", "/settings")).body).toMatchObject(look);
  expect((await ask("POST", "/settings", { logo: null, time_zone: null })).body).toMatchObject({
    logo: null,
    time_zone: null,
    number_format: "space",
  });
  const { data } = (await ask("GET", "/audit_logs?limit=5")).body as { data: object[] };
  expect(JSON.stringify(data)).not.toContain("iVBOR");
});

test("a logo that isn't a small picture, and zones and formats that there aren't, name their field", async () => {
  const svg = `data:image/svg+xml;base64,${btoa("<svg onload='alert(1)'/>")}`;
  const refused: [object, string][] = [
    [{ logo: svg }, "logo"],
    [{ logo: "https://example.com/logo.png" }, "logo"],
    [{ logo: `data:image/png;base64,${btoa("<html>")}` }, "logo"],
    [{ logo: `${PNG}" onload="x` }, "logo"],
    [{ logo: PNG + "A".repeat(24_000) }, "logo"],
    [{ time_zone: "Mars/Olympus" }, "time_zone"],
    [{ time_zone: "" }, "time_zone"],
    [{ number_format: "1.234,56" }, "number_format"],
  ];
  for (const [body, param] of refused)
    expect((await ask("POST", "/settings", body)).error).toMatchObject({ param });
});
