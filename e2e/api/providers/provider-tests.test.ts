import { afterEach, beforeEach, expect, test } from "bun:test";
import type { ProviderTest } from "@/lib/contract/operations/models/provider-tests";
import { send } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { type ScriptedProvider, startScriptedProvider } from "../../support/servers/scripted-provider";

const KEY = "sk-proj-canary0123456789";

let gateway: ServedGateway;
let server: ScriptedProvider;

beforeEach(async () => {
  server = startScriptedProvider();
  gateway = await serveGateway({ isExpectedFault: isProviderFault, hasRunningClock: true });
});
afterEach(async () => {
  await gateway.close();
  await server.stop();
});

const draft = (more: object = {}) => ({
  provider: { kind: "openai", base_url: server.baseUrl, api_key: KEY, ...more },
});
async function tryNew(body: object = draft()): Promise<ProviderTest> {
  const found = await gateway.admin<ProviderTest>("POST", "/organization/provider_tests", body);
  expect(JSON.stringify(found)).not.toContain("canary");
  return found;
}
const listed = (...ids: string[]) =>
  Response.json({ object: "list", data: ids.map((id) => ({ id, object: "model" })) });
const refuse = (status: number, error: object) => Response.json({ error }, { status });

const completion = { object: "chat.completion", choices: [{ message: { role: "assistant", content: "H" } }] };
const message = { type: "message", content: [{ type: "text", text: "H" }] };

/** Answers by the path below `/v1/`; a path that isn't there is a 404. */
function serve(paths: Record<string, (body: Record<string, unknown>) => Response>) {
  server.answerWith(({ path, body }) => {
    const answer = paths[path.replace("/v1/", "")];
    return answer ? answer(body === "" ? {} : JSON.parse(body)) : refuse(404, { message: "Not Found" });
  });
}
const byProtocol = ({ protocols }: ProviderTest) =>
  Object.fromEntries(protocols.map(({ protocol, outcome }) => [protocol, outcome]));

test("a test says which protocols a server speaks, by one token in each", async () => {
  serve({
    models: () => listed("text-embedding-x", "chatty"),
    "chat/completions": () => Response.json(completion),
    messages: () => Response.json(message),
  });
  const found = await tryNew();
  expect(found).toMatchObject({ id: null, outcome: "reached", status: 200, tested_model: "chatty" });
  expect(byProtocol(found)).toEqual({ chat: "answered", messages: "answered", responses: "absent" });
  expect(found.spoken_protocols).toEqual(["chat", "messages"]);
  const calls = server.visits.slice(1).map(({ body }) => JSON.parse(body));
  expect(calls).toContainEqual(expect.objectContaining({ model: "chatty", max_tokens: 1 }));
  expect(await gateway.admin<{ data: unknown[] }>("GET", "/organization/providers?limit=100")).toMatchObject({
    data: [{ id: "sandbox" }],
  });
});

test("a refusal is told in the server's words with what to mend, and its protocol counts as spoken", async () => {
  serve({
    models: () => listed("chatty"),
    "chat/completions": () =>
      refuse(404, { message: "The model `chatty` does not exist", code: "model_not_found" }),
    messages: () => refuse(429, { message: "You have no quota left" }),
    responses: () => refuse(400, { message: "Could not finish: max_output_tokens was reached" }),
  });
  const found = await tryNew();
  expect(byProtocol(found)).toEqual({ chat: "refused", messages: "refused", responses: "answered" });
  const [chat, messages] = found.protocols;
  expect(chat?.message).toContain("The model `chatty` does not exist");
  expect(chat?.message).toContain("Test with a model that the key may call");
  expect(messages?.message).toContain("You have no quota left");
  expect(messages?.message).toContain("raise them there");
});

test("the other name of the output limit is tried where a server refuses the first", async () => {
  serve({
    models: () => listed("chatty"),
    "chat/completions": (body) =>
      "max_tokens" in body
        ? refuse(400, { message: "Unsupported parameter: 'max_tokens'", param: "max_tokens" })
        : Response.json(completion),
  });
  const { protocols } = await tryNew();
  expect(protocols[0]).toMatchObject({ protocol: "chat", outcome: "answered", status: 200 });
});

test("no reply shows the key, whatever a server writes it into", async () => {
  serve({
    models: () => listed("chatty", `m-${KEY}`),
    "chat/completions": () => refuse(401, { message: `Incorrect API key provided: ${KEY}`, code: KEY }),
    messages: () => new Response(`<title>${KEY}</title>`, { headers: { "content-type": "text/html" } }),
    responses: () => Response.redirect(`http://127.0.0.1:9/${KEY}`, 307),
  });
  const found = await tryNew();
  expect(found.models?.data.map(({ model }) => model)).toEqual(["chatty"]);
  expect(byProtocol(found)).toEqual({ chat: "refused", messages: "absent", responses: "unknown" });
});

test("a redirect is told and not followed, a page is no list, and a refused key is not called with", async () => {
  server.answerWith(() => Response.redirect(`${server.baseUrl}/elsewhere`, 302));
  expect(await tryNew()).toMatchObject({ outcome: "reached", status: 302, models: null, protocols: [] });
  server.answerWith(() => new Response("<!doctype html><title>Welcome</title>"));
  const page = await tryNew();
  expect(page).toMatchObject({ outcome: "reached", models: null });
  expect(page.message).toContain("something else than a list");
  server.answerWith(() => refuse(401, { message: "no" }));
  expect(await tryNew()).toMatchObject({ outcome: "refused", status: 401, protocols: [] });
  expect(server.visits.every(({ path }) => path === "/v1/models")).toBe(true);
});

test("an endless list is cut off, and one of 10,000 models is read to 2,000", async () => {
  const endless = () =>
    new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1_000_000).fill(32)) });
  server.answerWith(() => new Response(endless()));
  expect(await tryNew()).toMatchObject({ outcome: "unreachable", models: null });
  const ids = Array.from({ length: 10_000 }, (_, number) => `model-${number}-2026-01-01`);
  serve({ models: () => listed(...ids) });
  const { models } = await tryNew();
  expect(models?.data).toHaveLength(2_000);
  expect(models?.has_more).toBe(true);
});

test("names that no route can have, repeated ones and hostile values are left out of a list", async () => {
  const data = [
    null,
    7,
    { id: "" },
    { id: "a\nb" },
    { id: "x".repeat(201) },
    { id: "fine", context_length: 1e300, pricing: { prompt: "-1" }, architecture: "no" },
    { id: "fine" },
    { id: "free", pricing: { prompt: "0", completion: "0" }, context_window: 8192 },
    { id: "..", type: "chat" },
  ];
  serve({ models: () => Response.json({ data }) });
  const offered = (await tryNew()).models?.data ?? [];
  expect(offered.map(({ model, suggested_id }) => [model, suggested_id])).toEqual([
    ["fine", "fine"],
    ["free", "free"],
    ["..", "..-2"],
  ]);
  expect(offered[0]).toMatchObject({ context_window: null, price: null, price_source: null });
  expect(offered[1]).toMatchObject({
    context_window: 8192,
    price: { input_per_1m: "0", output_per_1m: "0" },
    price_source: "provider",
  });
});

test("a server at a private address that isn't allowed is not asked, and a draft is checked as one to add", async () => {
  const ask = async (body: object) => {
    const url = `${gateway.baseUrl}/organization/provider_tests`;
    const { status, error } = await send(url, { method: "POST", key: gateway.adminKey, body });
    return [status, error.param];
  };
  const elsewhere = { kind: "openai", base_url: "http://10.0.0.9/v1" };
  expect(await ask({ provider: elsewhere })).toEqual([400, "base_url"]);
  expect(await ask({ provider: { kind: "openai" } })).toEqual([400, "provider.base_url"]);
  expect(await ask({ provider: { ...elsewhere, secret: 1 } })).toEqual([400, "provider.secret"]);
});

test("Anthropic's list is asked for whole and in its version, and a signed request has no key in it", async () => {
  serve({ models: () => listed("claude"), messages: () => Response.json(message) });
  const found = await tryNew(draft({ auth: "x-api-key", protocols: ["messages"] }));
  expect(found.spoken_protocols).toEqual(["messages"]);
  const [list] = server.visits;
  expect(list?.headers.get("x-api-key")).toBe(KEY);
  expect(list?.headers.get("anthropic-version")).toBe("2023-06-01");
  await tryNew(draft({ auth: "sigv4", api_key: "AKIDEXAMPLE:canary-secret:token" }));
  for (const { headers } of server.visits.slice(-3)) {
    expect(headers.get("authorization")).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE.*Signature=[0-9a-f]{64}$/,
    );
    expect(headers.get("x-amz-security-token")).toBe("token");
    expect(JSON.stringify([...headers])).not.toContain("canary");
  }
});

test("a list is joined with the catalogue of its service, in its classes", async () => {
  serve({
    models: () =>
      listed(
        "gpt-5-mini",
        "gpt-5-mini-2025-08-07",
        "gpt-4o-realtime-preview",
        "ft:gpt-4.1-mini:acme::C9x2",
        "whisper-1",
        "tts-1",
      ),
  });
  const { models } = await tryNew(draft({ preset: "openai" }));
  expect(models).toMatchObject({
    list_currency: "USD",
    catalogue_date: expect.stringMatching(/^2026-\d\d-\d\d$/),
  });
  const offered = new Map(models?.data.map((one) => [one.model, one]));
  expect(offered.get("gpt-5-mini")).toMatchObject({
    family: "chat",
    context_window: 400_000,
    price: {
      input_per_1m: "0.25",
      cached_input_per_1m: "0.025",
      output_per_1m: "2",
      tools: { web_search: "0.01", file_search: "0.0025" },
    },
    price_source: "catalogue",
    imported: null,
    unusable: null,
  });
  expect(offered.get("gpt-5-mini-2025-08-07")?.unusable).toContain("is a version of gpt-5-mini");
  expect(offered.get("gpt-4o-realtime-preview")?.unusable).toContain("Realtime API");
  expect(offered.get("ft:gpt-4.1-mini:acme::C9x2")).toMatchObject({
    price: null,
    price_source: null,
    unusable: null,
  });
  expect(offered.get("whisper-1")).toMatchObject({
    family: "transcription",
    unit_price: { unit: "minute", amount: "0.006" },
  });
  expect(offered.get("tts-1")).toMatchObject({ family: "speech", price: null, unit_price: null });
});

test("a saved provider is tested with the models that are routed to it, which are marked as here", async () => {
  serve({
    models: () => listed("gpt-5", "gpt-5-nano"),
    "chat/completions": () => Response.json(completion),
  });
  const { provider } = draft();
  await gateway.admin("POST", "/organization/providers", { ...provider, id: "near", preset: "openai" });
  await gateway.admin("POST", "/organization/models", {
    id: "gpt-5",
    family: "chat",
    rate: "1.5",
    price: { input_per_1m: "1", output_per_1m: "2" },
    routes: [{ provider: "near", model: "gpt-5" }],
  });
  const found = await gateway.admin<ProviderTest>("POST", "/organization/providers/near/test");
  expect(found).toMatchObject({ id: "near", tested_model: "gpt-5", spoken_protocols: ["chat"] });
  const [first, second] = found.models?.data ?? [];
  expect(first).toMatchObject({ suggested_id: "near/gpt-5", imported: { id: "gpt-5", rate: "1.50" } });
  expect(second).toMatchObject({ suggested_id: "gpt-5-nano", imported: null });
  const named = await gateway.admin<ProviderTest>("POST", "/organization/providers/near/test?model=mine");
  expect(named.tested_model).toBe("mine");
  expect(await gateway.admin("GET", "/organization/balance")).toMatchObject({
    posted: "10.00",
    held: "0.00",
  });
});
