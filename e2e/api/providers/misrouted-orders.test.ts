import { expect, test } from "bun:test";
import type { Provider } from "@/lib/contract/operations/models/providers";
import { send } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedForAll } from "../../support/gateways/serve-scripted";
import type { ScriptedProvider } from "../../support/servers/scripted-provider";

let provider: ScriptedProvider;
let gateway: ServedGateway;
/**
 * The task API of a provider that is sent the prompt alone. It can't take the order of a size that the first route of
 * `unequal` takes.
 */
const mapping = JSON.stringify({
  makes: ["image"],
  submit: { path: "/make", body: { prompt: "{prompt}" } },
  outputs: { list: "/data", base64: "/b64_json" },
});
const price = `rate: "1", unit_price: { unit: image, amount: "0.04" }`;
serveScriptedForAll(
  ({ baseUrl }) => `
providers:
  - { id: first, kind: openai, base_url: "${baseUrl}", api_key: "sk-first" }
  - { id: second, kind: openai, base_url: "${baseUrl}", api_key: "sk-second" }
  - { id: sizeless, kind: http, base_url: "${baseUrl}", api_key: "sk-second", task_api: ${mapping} }
models:
  - { id: one-way, family: image, ${price}, routes: [{ provider: first, model: alone }] }
  - { id: two-ways, family: image, ${price}, routes: [{ provider: first, model: pair }, { provider: second, model: pair }] }
  - { id: unequal, family: image, ${price}, routes: [{ provider: first, model: big }, { provider: sizeless, model: any }] }
`,
  (served) => {
    ({ provider, gateway } = served);
  },
  { isExpectedFault: isProviderFault },
);

const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** The first provider refuses the gateway in these words; the second makes a picture. */
function refuseFirst(status: number, error: object): void {
  provider.answerWith((request) => {
    const key = request.headers.get("authorization") ?? "";
    return key.endsWith("sk-second")
      ? Response.json({ data: [{ b64_json: PICTURE }] })
      : Response.json({ error }, { status });
  });
}

const order = (model: string, more: object = {}) =>
  send(`${gateway.baseUrl}/images/generations`, {
    method: "POST",
    key: gateway.key,
    body: { model, prompt: "a cat", response_format: "b64_json", ...more },
  });

const refusals = [
  { status: 401, error: { message: "Incorrect API key provided: sk-fi***rst", code: "invalid_api_key" } },
  {
    status: 402,
    error: { message: "Insufficient balance of account acme-prod", code: "insufficient_balance" },
  },
  { status: 403, error: { message: "Your organization org-AcMe must be verified", code: null } },
  { status: 404, error: { message: "No endpoints of acme/painter found", code: 404 } },
  { status: 429, error: { message: "org-AcMe exceeded its quota", code: "insufficient_quota" } },
];

test.each(refusals)(
  "a $status to an order is told without the provider's words, and shown to operators",
  async ({ status, error }) => {
    refuseFirst(status, error);
    const { status: told, body, headers, error: shown } = await order("one-way");
    expect([told, shown.code, headers.get("x-should-retry")]).toEqual([
      502,
      "provider_misconfigured",
      "false",
    ]);
    expect(JSON.stringify(body)).not.toMatch(/acme|sk-fi/i);
    const { data } = await gateway.admin<{ data: Provider[] }>("GET", "/organization/providers");
    expect(data.find(({ id }) => id === "first")?.misconfigured).toMatchObject([{ model: "alone", status }]);
  },
);

test.each(refusals)("after a $status the order goes to the next provider", async ({ status, error }) => {
  refuseFirst(status, error);
  const { status: told, body } = await order("two-ways");
  expect([told, body.data]).toEqual([200, [{ b64_json: PICTURE }]]);
  expect(provider.visits).toHaveLength(2);
});

test("an order that is at fault itself goes to no other provider, and is told in the provider's words", async () => {
  refuseFirst(400, { message: "The size is not supported", code: "invalid_size" });
  const { status, error } = await order("two-ways");
  expect([status, error.code]).toEqual([502, "provider_error"]);
  expect(error.message).toContain("The size is not supported");
  expect(provider.visits).toHaveLength(1);
});

test("an order that the first provider has no room for goes to the next one", async () => {
  refuseFirst(503, { message: "busy" });
  expect((await order("two-ways")).status).toBe(200);
});

test("an order goes to no provider that isn't sent all that it says", async () => {
  refuseFirst(503, { message: "busy" });
  expect((await order("unequal")).status).toBe(200);
  refuseFirst(401, { message: "Incorrect API key", code: "invalid_api_key" });
  const { status, error } = await order("unequal", { size: "1024x1536" });
  expect([status, error.code]).toEqual([502, "provider_misconfigured"]);
});
