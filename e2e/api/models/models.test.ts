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
  expect<object>(await client.models.retrieve("sandbox-echo")).toEqual({
    object: "model",
    id: "sandbox-echo",
    created,
    owned_by: "sandbox",
    context_length: null,
    max_output_tokens: 64_000,
    pricing: { currency: "USD", prompt: "0.0000005", completion: "0.000001" },
    supported_protocols: ["chat", "messages", "responses"],
    input_modalities: null,
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

test("a model that writes no tokens needs no output price, and shows 0 for it", async () => {
  const draft = {
    id: "vectors",
    family: "embedding",
    rate: "1",
    price: { input_per_1m: "0.02" },
    routes: [{ provider: "sandbox", model: "sandbox-embedding" }],
  };
  const full = { input_per_1m: "0.02", output_per_1m: "0.00" };
  expect(await ask("POST", "/models", draft)).toMatchObject({ status: 200, body: { price: full } });
  const judge = {
    ...draft,
    id: "judge",
    family: "moderation",
    price: { input_per_1m: "1", output_per_1m: "3" },
  };
  expect(await ask("POST", "/models", judge)).toMatchObject({
    status: 200,
    body: { price: { input_per_1m: "1.00", output_per_1m: "3.00" } },
  });
  const changed = await ask("POST", "/models/vectors", { price: { input_per_1m: "0.03" } });
  expect(changed.body).toMatchObject({ price: { input_per_1m: "0.03", output_per_1m: "0.00" } });
  const effective_at = Math.floor(gateway.runtime.clock.nowMs() / 1_000) + 3_600;
  const scheduled = await ask("POST", "/models/vectors/scheduled_prices", {
    effective_at,
    price: draft.price,
  });
  expect(scheduled.body).toMatchObject({ price: { input_per_1m: "0.02", output_per_1m: "0" } });
  await gateway.restart();
  expect((await ask("GET", "/models/vectors")).body).toMatchObject({
    price: { input_per_1m: "0.03", output_per_1m: "0.00" },
  });
  expect((await ask("GET", "/models/vectors/scheduled_prices")).body).toMatchObject({
    data: [{ price: { input_per_1m: "0.02", output_per_1m: "0" } }],
  });
});

test("a model that writes tokens is refused without an output price, by its field", async () => {
  const draft = {
    id: "talker",
    family: "chat",
    rate: "1",
    price: { input_per_1m: "0.02" },
    routes: [{ provider: "sandbox", model: "sandbox-echo" }],
  };
  const missing = { status: 400, error: { param: "price.output_per_1m", code: "missing_field" } };
  expect(await ask("POST", "/models", draft)).toMatchObject(missing);
  expect(await ask("POST", "/models/sandbox-echo", { price: draft.price })).toMatchObject(missing);
});
