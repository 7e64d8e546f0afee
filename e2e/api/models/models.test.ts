import { expect, test } from "bun:test";
import { catchRefusal, collectAll, officialClient } from "../../support/clients/official-client";
import { type Configured, serveConfiguredForEach } from "../../support/gateways/serve-configured";

let { gateway, ask } = {} as Configured;
serveConfiguredForEach((served) => {
  ({ gateway, ask } = served);
});

test("lists models as OpenAI does, and refuses an unknown one", async () => {
  const client = officialClient(gateway.baseUrl, gateway.adminKey);
  const listed = await collectAll(client.models.list());
  expect(listed.map(({ id }) => id)).toContain("sandbox-echo");
  const { created } = await client.models.retrieve("sandbox-echo");
  expect(await client.models.retrieve("sandbox-echo")).toEqual({
    object: "model",
    id: "sandbox-echo",
    created,
    owned_by: "sandbox",
  });
  expect(await catchRefusal(client.models.retrieve("gpt-none"))).toMatchObject({
    status: 404,
    code: "model_not_found",
  });
});

test("models of the file come first, with their defaults; a price makes an unpriced one callable", async () => {
  const { body } = await ask("GET", "/models?limit=2");
  expect(body).toMatchObject({
    has_more: true,
    last_id: "unpriced",
    data: [
      {
        object: "organization.model",
        id: "configured-model",
        currency: "USD",
        rate: "0.20",
        price: { input_per_1m: "0.25", output_per_1m: "2.00" },
        source: "config",
        sandbox: false,
        default_rate_limits: { max_requests_per_1_minute: 42, max_requests_per_1_day: 5 },
      },
      { id: "unpriced", price: null },
    ],
  });
  const callable = async () => {
    const { data } = await gateway.admin<{ data: { id: string }[] }>("GET", "/models");
    return data.map(({ id }) => id);
  };
  expect(await callable()).not.toContain("unpriced");
  const missing = await ask("POST", "/models/unpriced", { rate: "0.5" });
  expect([missing.status, missing.error.param]).toEqual([400, "price"]);
  const free = { input_per_1m: "0", output_per_1m: "0" };
  expect((await ask("POST", "/models/unpriced", { price: free })).body).toMatchObject({ rate: "1.00" });
  expect(await callable()).toContain("unpriced");
  expect(await ask("POST", "/models/none", { rate: "1" })).toMatchObject({
    status: 404,
    error: { code: "model_not_found" },
  });
});
