import { afterEach, beforeEach, expect, test } from "bun:test";
import type { ProviderTest } from "@/lib/contract/operations/models/provider-tests";
import type { Health } from "@/lib/contract/operations/usage/health";
import { send } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let server: ReturnType<typeof Bun.serve>;
let answers: (request: Request) => Response;
const asked: string[] = [];

beforeEach(async () => {
  asked.length = 0;
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      asked.push(
        `${request.method} ${new URL(request.url).pathname} ${request.headers.get("authorization")}`,
      );
      return answers(request);
    },
  });
  gateway = await serveGateway({ isExpectedFault: isProviderFault });
  await gateway.admin("POST", "/organization/providers", {
    id: "elsewhere",
    kind: "openai",
    base_url: `http://127.0.0.1:${server.port}/v1`,
    api_key: "sk-elsewhere",
  });
  await gateway.admin("POST", "/organization/models", {
    id: "far",
    family: "chat",
    rate: "1",
    price: { input_per_1m: "1", output_per_1m: "1" },
    routes: [{ provider: "elsewhere", model: "far-1" }],
  });
});
afterEach(async () => {
  await gateway.close();
  await server.stop(true);
});

const call = (model: string) =>
  send(`${gateway.baseUrl}/chat/completions`, {
    method: "POST",
    key: gateway.key,
    body: { model, messages: [{ role: "user", content: "one two" }] },
  });
const health = () => gateway.admin<Health>("GET", "/organization/health");
const tryProvider = (id: string) =>
  gateway.admin<ProviderTest>("POST", `/organization/providers/${id}/test`, undefined);

test("each model shows its calls and errors, and its provider the last failure with its cause", async () => {
  answers = () => new Response("{}", { status: 401 });
  expect((await call("far")).status).toBe(502);
  expect((await call("sandbox-echo")).status).toBe(200);
  const { providers } = await health();
  const { models } = await summed(({ models: all }) => all.some(({ calls }) => calls > 0));
  expect(models.find(({ id }) => id === "far")).toMatchObject({
    providers: ["elsewhere"],
    calls: 1,
    errors: 1,
  });
  expect(models.find(({ id }) => id === "sandbox-echo")).toMatchObject({ calls: 1, errors: 0 });
  expect(providers.find(({ id }) => id === "elsewhere")).toMatchObject({
    calls_under_way: 0,
    last_failure: {
      model: "far-1",
      status: 401,
      cause: expect.stringContaining("Replace the provider's key"),
    },
  });
  expect(providers.find(({ id }) => id === "sandbox")).toMatchObject({
    max_calls_under_way: null,
    last_failure: null,
  });
});

test("only models that failed often are selected, those with few calls too", async () => {
  const failing = () => gateway.admin<Health>("GET", "/organization/health?failing=true");
  answers = () => new Response("{}", { status: 401 });
  for (let calls = 0; calls < 4; calls++) await call("far");
  await summed(({ models }) => models.some(({ errors }) => errors === 4));
  expect(await failing()).toMatchObject({ models: [], providers: [] });
  await call("far");
  const { models } = await summed((all) => all.models.some(({ errors }) => errors === 5));
  expect((await failing()).models).toEqual(models.filter(({ id }) => id === "far"));
});

/** Calls are summed in the background, so this asks until the condition holds. */
async function summed(isSo: (health: Health) => boolean): Promise<Health> {
  await gateway.restart();
  let found = await health();
  await until("the calls are summed", async () => {
    found = await health();
    return isSo(found);
  });
  return found;
}

test("a test of a provider asks for its models with the key, then for a token in each protocol", async () => {
  answers = () => Response.json({ data: [] });
  expect(await tryProvider("elsewhere")).toMatchObject({ outcome: "reached", status: 200 });
  const [list, ...calls] = asked;
  expect(list).toBe("GET /v1/models Bearer sk-elsewhere");
  expect(calls.toSorted()).toEqual(
    ["chat/completions", "messages", "responses"].map((path) => `POST /v1/${path} Bearer sk-elsewhere`),
  );
  answers = () => new Response("", { status: 403 });
  expect(await tryProvider("elsewhere")).toMatchObject({ outcome: "refused", status: 403 });
  answers = () => new Response("", { status: 503 });
  expect(await tryProvider("elsewhere")).toMatchObject({ outcome: "unreachable", status: 503 });
  answers = () => Response.redirect("http://127.0.0.1:9/", 302);
  expect(await tryProvider("elsewhere")).toMatchObject({ outcome: "reached", status: 302 });
  await server.stop(true);
  const gone = await tryProvider("elsewhere");
  expect(gone).toMatchObject({ outcome: "unreachable", status: null });
  expect(gone.message).toContain("refused the connection");
  expect(JSON.stringify(gone)).not.toContain("sk-elsewhere");
  expect(await tryProvider("sandbox")).toMatchObject({ outcome: "reached", status: null });
  const { status } = await send(`${gateway.baseUrl}/organization/providers/none/test`, {
    method: "POST",
    key: gateway.adminKey,
  });
  expect(status).toBe(404);
});
