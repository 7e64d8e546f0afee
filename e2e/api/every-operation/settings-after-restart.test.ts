import { expect, test } from "bun:test";
import {
  addedModel,
  addedProvider,
  type Configured,
  serveConfiguredForEach,
} from "../../support/gateways/serve-configured";

let { gateway, ask } = {} as Configured;
serveConfiguredForEach((served) => {
  ({ gateway, ask } = served);
});

test("everything that was set is there after a restart", async () => {
  const role = { role_name: "Support", description: "Helps.", permissions: ["api.models.read"] };
  const changes: [string, object][] = [
    ["/roles", role],
    ["/projects", { name: "Research" }],
    ["/providers", addedProvider],
    ["/models", addedModel],
    ["/models/configured-model", { rate: "0.3" }],
    [`/projects/${gateway.projectId}/rate_limits/meta%2FLlama-3`, { max_requests_per_1_minute: 3 }],
    ["/payments", { amount: "12.345678901", reference: "Invoice 7" }],
  ];
  for (const [path, body] of changes)
    expect([path, (await ask("POST", path, body)).status]).toEqual([path, 200]);
  const lists = ["/roles", "/projects", "/providers", "/models", "/ledger", "/balance"];
  const all = [
    ...lists,
    `/projects/${gateway.projectId}/rate_limits`,
    `/projects/${gateway.projectId}/api_keys`,
  ];
  const read = () => Promise.all(all.map(async (path) => (await ask("GET", path)).body));
  const before = await read();
  await gateway.restart();
  expect(await read()).toEqual(before);
  expect(JSON.stringify(before)).toContain("Support");
  expect(JSON.stringify(before)).not.toContain("canary");
});
