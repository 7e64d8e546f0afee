import { afterAll, beforeAll, expect, test } from "bun:test";
import { adminApi } from "../../support/clients/admin-api";
import { fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { startWordProvider, type WordProvider } from "../../support/servers/word-provider";
import { createMember } from "../../support/stored-data/create-member";

const WORDS = 60;
let gateway: ServedGateway;
let provider: WordProvider;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  gateway = await serveGateway();
  provider = await startWordProvider(WORDS);
  await gateway.restart(async () => {
    const { dataFolder, runtime } = gateway;
    for (const name of ["ann", "bob"]) {
      const role = { roleId: "role_prompt_tester", projectId: null };
      tokens[name] = (await createMember(dataFolder, name, [role], runtime)).token;
    }
  });
  const api = adminApi(gateway);
  await api.createProvider("slow", provider.baseUrl);
  await api.createModel({
    id: "slow-words",
    family: "chat",
    rate: "1",
    price: { input_per_1m: "1", output_per_1m: "1" },
    routes: [{ provider: "slow", model: "slow-words" }],
  });
});
afterAll(async () => {
  await provider.stop();
  await gateway.close();
});

type RequestOptions = { body?: object; headers?: Record<string, string>; signal?: AbortSignal };

function ask(who: string, method: string, path: string, { body, headers, signal }: RequestOptions = {}) {
  return fetchWithKey(`${gateway.baseUrl}${path}`, {
    method,
    key: tokens[who] ?? who,
    body,
    headers: { "openai-project": gateway.projectId, ...headers },
    ...(signal && { signal }),
  });
}

const messages = [{ role: "user", content: "Many words" }];

type SendOptions = { model?: string; signal?: AbortSignal; path?: string; headers?: Record<string, string> };

function send(who: string, name: string, more: SendOptions = {}) {
  const { model = "slow-words", signal, path = "/chat/completions", headers } = more;
  const isOpenai = path === "/chat/completions";
  const options = isOpenai && { stream_options: { include_usage: true } };
  const said =
    path === "/responses" ? { input: messages, max_output_tokens: 500 } : { messages, max_tokens: 500 };
  const body = { model, stream: true, ...said, ...options };
  return ask(who, "POST", path, {
    body,
    headers: { "x-gatehouse-keep-answer": name, ...headers },
    ...(signal && { signal }),
  });
}

const answerAt = (who: string, name: string) =>
  ask(who, "GET", `/organization/conversations/${name.replace("/", "/answers/")}`);
/** Waits for the charge: a stopped call is charged shortly after its reply ends. */
const readCharge = async (who: string, requestId: string | null) => {
  const ofCall = () => ask(who, "GET", `/organization/me/charges/${requestId}`);
  await until(`the charge of ${requestId}`, async () => (await ofCall()).status === 200);
  return { json: await (await ofCall()).json() };
};

const untilAborted = (index: number) =>
  until("the provider's call is aborted", () => provider.calls[index]?.isAborted === true);

test("a call continues when its client leaves, and its whole answer can be read during and after it", async () => {
  const name = "conv_goeson01/a-1";
  const leaving = new AbortController();
  const begun = await send("ann", name, { signal: leaving.signal });
  const requestId = begun.headers.get("x-request-id");
  await begun.body?.getReader().read();
  leaving.abort();

  const streaming = await answerAt("ann", name);
  expect(streaming.headers.get("x-request-id")).toBe(requestId);
  expect(streaming.headers.get("content-type")).toStartWith("text/event-stream");
  const text = await streaming.text();
  expect(text).toContain('"word1 "');
  expect(text).toContain(`"word${WORDS} "`);
  expect(text).toEndWith("data: [DONE]\n\n");
  expect(provider.calls.at(-1)).toMatchObject({ wordsSent: WORDS, isAborted: false });
  expect(await (await answerAt("ann", name)).text()).toBe(text);
  const charge = await readCharge("ann", requestId);
  expect(charge.json).toMatchObject({ completion_tokens: WORDS });
});

test("a kept response is read again event by event", async () => {
  const name = "conv_goeson02/a-1";
  const text = await (await send("ann", name, { path: "/responses" })).text();
  expect(text).toContain("event: response.completed");
  expect(await (await answerAt("ann", name)).text()).toBe(text);
});

test("without the header, a call still stops with its client", async () => {
  const leaving = new AbortController();
  const body = { model: "slow-words", messages, stream: true, max_tokens: 500 };
  const begun = await ask("ann", "POST", "/chat/completions", { body, signal: leaving.signal });
  const call = provider.calls.at(-1);
  await begun.body?.getReader().read();
  leaving.abort();
  await untilAborted(provider.calls.length - 1);
  expect(call?.wordsSent).toBeLessThan(WORDS);
});

test("a kept call can be stopped only by its owner, also at the provider, and stores and charges the received part", async () => {
  const name = "conv_stopped1/a";
  const begun = await send("ann", name);
  const call = provider.calls.at(-1);
  const reading = begun.text();
  const path = "/organization/conversations/conv_stopped1/answers/a/cancel";
  expect((await ask("bob", "POST", path)).status).toBe(404);
  expect(call?.isAborted).toBe(false);
  expect((await ask("ann", "POST", path)).status).toBe(200);
  await reading;
  await untilAborted(provider.calls.length - 1);
  const kept = await (await answerAt("ann", name)).text();
  expect(kept).not.toContain("[DONE]");
  const charge = await readCharge("ann", begun.headers.get("x-request-id"));
  expect(charge.json.completion_tokens).toBeLessThan(WORDS);
});

test.each([
  ["/chat/completions", {}, '{"error":{'],
  ["/responses", {}, '{"error":{'],
  ["/messages", { "anthropic-version": "2023-06-01" }, 'event: error\ndata: {"type":"error",'],
])(
  "the stream of a kept call at %s that a shutdown stops ends with an error",
  async (path, headers, error) => {
    const name = `conv_shutdown1/${path.slice(1, 5)}`;
    const leaving = new AbortController();
    const begun = await send("ann", name, { path, headers, signal: leaving.signal });
    await begun.body?.getReader().read();
    leaving.abort();
    await gateway.restart();
    const text = await (await answerAt("ann", name)).text();
    expect(text).toContain('"word1 "');
    const last = text.split("\n\n").at(-2) ?? "";
    expect(last).toContain(error);
    expect(last).toContain("The gateway stopped before the answer's end.");
    expect(last).toContain(begun.headers.get("x-request-id") ?? "none");
  },
);

test("others can read it only once the conversation is shared, and it is deleted with the conversation", async () => {
  const name = "conv_shared01/a";
  const whole = await (await send("ann", name, { model: "sandbox-echo" })).text();
  expect((await answerAt("bob", name)).status).toBe(404);
  const content = { title: "Mine", content: { format: 1 }, is_shared: true };
  await ask("ann", "POST", "/organization/conversations/conv_shared01", { body: content });
  expect(await (await answerAt("bob", name)).text()).toBe(whole);
  expect((await send("bob", "conv_shared01/b", { model: "sandbox-echo" })).status).toBe(404);
  await ask("ann", "DELETE", "/organization/conversations/conv_shared01");
  expect((await answerAt("ann", name)).status).toBe(404);
});

test("an answer whose conversation is no longer shared breaks off for its reader, and doesn't end as if it were whole", async () => {
  const path = "/organization/conversations/conv_unshared";
  const body = (isShared: boolean) => ({ title: "t", content: { format: 1 }, is_shared: isShared });
  const shared = await ask("ann", "POST", path, { body: body(true) });
  const { version } = (await shared.json()) as { version: string };
  const whole = (await send("ann", "conv_unshared/a")).text();
  const answer = await answerAt("bob", "conv_unshared/a");
  const unshared = await ask("ann", "POST", path, {
    body: body(false),
    headers: { "if-match": `"${version}"` },
  });
  expect(unshared.status).toBe(200);
  await expect(answer.text()).rejects.toThrow();
  expect(await whole).toContain("[DONE]");
});

test("a refusal is kept as the client would have read it", async () => {
  const name = "conv_refused1/a";
  const refused = await send("ann", name, { model: "no-such-model" });
  expect(refused.status).toBe(404);
  const told = await refused.text();
  const kept = await answerAt("ann", name);
  expect([kept.status, await kept.text()]).toEqual([404, told]);
});

test("an invalid name, one that is taken, and a program's key are refused before anything is sent", async () => {
  const taken = "conv_taken001/a";
  await (await send("ann", taken, { model: "sandbox-echo" })).text();
  const before = provider.calls.length;
  expect((await send("ann", "conv_x")).status).toBe(400);
  expect((await send("ann", taken)).status).toBe(400);
  expect((await send(gateway.key, "conv_program1/a")).status).toBe(403);
  expect(provider.calls.length).toBe(before);
});
