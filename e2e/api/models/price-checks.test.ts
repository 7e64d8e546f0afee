import { afterEach, beforeEach, expect, test } from "bun:test";
import type { PriceCheck } from "@/lib/contract/operations/models/price-checks";
import { send } from "../../support/clients/send";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { chatCompletion, startScriptedProvider } from "../../support/servers/scripted-provider";

let gateway: ServedGateway;
beforeEach(async () => {
  gateway = await serveGateway();
  await gateway.admin("POST", "/organization/providers", {
    id: "openai",
    kind: "openai",
    preset: "openai",
    api_key: "sk-x",
  });
});
afterEach(() => gateway.close());

const price = { input_per_1m: "1.25", cached_input_per_1m: "0.125", output_per_1m: "10" };
const tools = { web_search: "0.01", file_search: "0.0025" };
const add = (id: string, more: object) =>
  gateway.admin("POST", "/organization/models", {
    id,
    family: "chat",
    rate: "2",
    price: { ...price, ...more },
    routes: [{ provider: "openai", model: "gpt-5" }],
  });
const check = (query = "") => gateway.admin<PriceCheck>("GET", `/organization/price_check${query}`);
const change = (models: object[]) =>
  send(`${gateway.baseUrl}/organization/price_changes`, {
    method: "POST",
    key: gateway.adminKey,
    body: { models },
  });
const priceOf = async (id: string) =>
  (await gateway.admin<{ price: object }>("GET", `/organization/models/${id}`)).price;

test("models are compared with the catalogue in every class, and none changes by itself", async () => {
  await add("same", { output_per_1m: "10.000", tools });
  await add("dearer", { output_per_1m: "12", priority_rate: "3", tools: { ...tools, mine: "0.5" } });
  await gateway.admin("POST", "/organization/models", {
    id: "unknown",
    family: "chat",
    rate: "1",
    price,
    routes: [{ provider: "openai", model: "nobody-knows" }],
  });
  const { data, unchanged, catalogue_date } = await check();
  expect([unchanged, data.map(({ id }) => id)]).toEqual([1, ["dearer"]]);
  expect(catalogue_date).toMatch(/^\d{4}-\d\d-\d\d$/);
  const [first] = data;
  expect(first).toMatchObject({
    provider: "openai",
    model: "gpt-5",
    price: { output_per_1m: "12.00" },
    new_price: { output_per_1m: "10.00", priority_rate: "3.00", tools: { web_search: "0.01", mine: "0.50" } },
    last_month: { calls: 0, charged: "0.00", at_price: "0.00", at_new_price: "0.00" },
  });
  expect(await priceOf("dearer")).toMatchObject({ output_per_1m: "12.00" });
});

test("a plan is carried out whole, and is refused where a price has changed since it was made", async () => {
  await add("a", { output_per_1m: "12" });
  await add("b", { output_per_1m: "13" });
  const { data } = await check();
  const plan = data.map(({ id, price: was, new_price }) => ({ id, price: was, new_price }));
  await gateway.admin("POST", "/organization/models/b", { price: { ...price, output_per_1m: "14" } });
  const refused = await change(plan);
  expect([refused.status, refused.error.code, refused.error.param]).toEqual([
    409,
    "price_changed",
    "models.1.price",
  ]);
  expect(await priceOf("a")).toMatchObject({ output_per_1m: "12.00" });
  const again = (await check()).data.map(({ id, price: was, new_price }) => ({ id, price: was, new_price }));
  expect((await change(again)).status).toBe(200);
  expect(await check()).toMatchObject({ data: [], unchanged: 2 });
  expect(await priceOf("b")).toMatchObject({ output_per_1m: "10.00", tools });
  const both = await Promise.all([change(again), change(again)]);
  expect(both.map(({ status }) => status)).toEqual([409, 409]);
});

test("list prices are compared in the currency of prices here", async () => {
  await add("a", {
    input_per_1m: "1",
    cached_input_per_1m: "0.1",
    output_per_1m: "8",
    tools: { web_search: "0.008", file_search: "0.002" },
  });
  expect((await check("?exchange_rate=0.8")).data).toEqual([]);
  expect((await check("?exchange_rate=0.9")).data[0]?.new_price).toMatchObject({ output_per_1m: "9.00" });
});

test("a plan says what last month's tokens would have cost, cached ones and a step of long prompts apart", async () => {
  const server = startScriptedProvider();
  server.answerWith(() =>
    Response.json(
      chatCompletion("Hi", {
        prompt_tokens: 100_000,
        completion_tokens: 1_000,
        total_tokens: 101_000,
        prompt_tokens_details: { cached_tokens: 60_000 },
      }),
    ),
  );
  const gemini = { id: "gemini", kind: "openai", base_url: server.baseUrl, api_key: "sk-y" };
  await gateway.admin("POST", "/organization/providers", gemini);
  await gateway.admin("POST", "/organization/models", {
    id: "pro",
    family: "chat",
    rate: "2",
    price: { input_per_1m: "2", cached_input_per_1m: "1", output_per_1m: "20" },
    routes: [{ provider: "gemini", model: "gemini-2.5-pro" }],
  });
  const body = {
    model: "pro",
    max_tokens: 2_000,
    messages: [{ role: "user", content: "word ".repeat(90_000) }],
  };
  for (let calls = 0; calls < 3; calls++)
    expect(
      (await send(`${gateway.baseUrl}/chat/completions`, { method: "POST", key: gateway.key, body })).status,
    ).toBe(200);
  gateway.pass(32 * 24 * 3_600_000);
  await gateway.restart();
  const { data } = await check();
  const row = data.find(({ id }) => id === "pro");
  // Per call: 40,000 × 2 + 60,000 × 1 + 1,000 × 20 per million, × 2; at 1.25, 0.125 and 10: 50,000 + 7,500 + 10,000.
  expect(row?.last_month).toEqual({ calls: 3, charged: "0.96", at_price: "0.96", at_new_price: "0.405" });
  await server.stop();
});
