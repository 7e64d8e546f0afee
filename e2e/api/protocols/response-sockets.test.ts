import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { ResponsesWS } from "openai/resources/responses/ws";
import { HOUR_MS } from "@/lib/contract/durations";
import { catchRefusal, officialClient } from "../../support/clients/official-client";
import { readReceipt } from "../../support/clients/read-requests";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import {
  openResponseSocket,
  type ResponseSocketClient,
  type SocketEvent,
} from "../../support/protocols/open-response-socket";
import { type AnthropicServer, startAnthropicServer } from "../../support/servers/anthropic-server";
import { type OpenaiServer, startOpenaiServer } from "../../support/servers/openai-server";
import { type ResponsesServer, startResponsesServer } from "../../support/servers/responses-server";

type Fields = Record<string, unknown>;

let chat: OpenaiServer;
let native: ResponsesServer;
let anthropic: AnthropicServer;
let gateway: ServedGateway;
let opened: ResponseSocketClient[] = [];

beforeAll(async () => {
  [chat, native, anthropic] = [startOpenaiServer(), startResponsesServer(), startAnthropicServer()];
  gateway = await serveGateway({ config: writeConfiguration(), isExpectedFault: isProviderFault });
});
beforeEach(async () => {
  for (const socket of opened) socket.close();
  await Promise.all(opened.map(({ closed }) => closed));
  opened = [];
  for (const { visits } of [chat, native, anthropic]) visits.length = 0;
  chat.answerWith(() => ({ message: { content: "Hello" } }));
  native.answerWith(() => ({ output: [told] }));
  anthropic.answerWith(() => ({ content: [{ type: "text", text: "Hello" }] }));
  await keep("off");
});
afterAll(async () => {
  for (const socket of opened) socket.close();
  await gateway.close();
  await Promise.all([chat, native, anthropic].map((server) => server.stop()));
});

const told = {
  id: "msg_theirs",
  type: "message",
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text: "Hello", annotations: [], logprobs: [] }],
};

const keep = (mode: string) =>
  gateway.admin("POST", `/organization/projects/${gateway.projectId}/body_settings`, {
    mode,
    retention_days: 30,
    redactions: [],
  });

function writeConfiguration(): string {
  const openai = { kind: "openai", preset: "openai", api_key: "sk-upstream", circuit: false };
  const model = {
    family: "chat",
    rate: "1",
    max_output_tokens: 16_000,
    price: { input_per_1m: "5", output_per_1m: "25" },
  };
  const anthropicKey = { preset: "anthropic", api_key: "sk-ant-upstream" };
  return JSON.stringify({
    providers: [
      { ...openai, id: "chat", base_url: chat.baseUrl, protocols: ["chat"] },
      { ...openai, id: "native", base_url: native.baseUrl },
      { ...openai, id: "anthropic", base_url: anthropic.baseUrl, ...anthropicKey },
    ],
    models: ["chat", "native", "anthropic"].map((id) => ({
      ...model,
      id,
      routes: [{ provider: id, model: id === "anthropic" ? "claude-sonnet-4-5" : "gpt" }],
    })),
  });
}

async function connect(headers: Record<string, string> = {}, key = gateway.key) {
  const socket = await openResponseSocket({ baseUrl: gateway.baseUrl, key }, headers);
  opened.push(socket);
  return socket;
}

const endOf = (events: readonly SocketEvent[]) => {
  const last = events.at(-1);
  if (last?.type !== "response.completed") throw new Error(`It ended with ${JSON.stringify(last)}`);
  return last.response as Fields & { readonly id: string };
};
const readSent = () =>
  JSON.stringify([chat, native, anthropic].flatMap(({ visits }) => visits.slice(-1).map(({ text }) => text)));
const readCode = (event: SocketEvent | undefined) => (event?.error as Fields | undefined)?.code;
const requestIdOf = ({ id }: { readonly id: string }) => id.replace("resp_", "req_");

describe.each(["chat", "native", "anthropic"])("over a WebSocket, responses of %s", (model) => {
  test("come one after another as the events of a stream, each charged with its receipt", async () => {
    const socket = await connect();
    for (const input of ["One", "Two"]) {
      const events = await socket.create({ model, input, store: false });
      expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
      expect(events[0]?.type).toBe("response.created");
      const deltas = events.filter(({ type }) => type === "response.output_text.delta");
      expect(deltas.map(({ delta }) => delta).join("")).toBe("Hello");
      const response = endOf(events);
      expect(response).toMatchObject({ status: "completed", store: false });
      // Charged before the client has read the end.
      const { request, hold } = await readReceipt(gateway, requestIdOf(response));
      expect(request).toMatchObject({ outcome: "completed", model, stream: true });
      expect(hold?.state).toBe("settled");
      expect(readSent()).toContain(input);
    }
  });

  test("are filled with a saved prompt", async () => {
    const content = { endpoint: "responses", body: { instructions: "Be {{mood}}.", input: "Greet me." } };
    const path = `/organization/projects/${gateway.projectId}/prompts`;
    const { id } = await gateway.admin<{ id: string }>("POST", path, { name: "P", is_shared: true, content });
    const socket = await connect();
    const prompt = { id, variables: { mood: "kind" } };
    const response = endOf(await socket.create({ model, prompt }));
    expect(response).toMatchObject({ prompt: { ...prompt, version: "1" } });
    for (const word of ["Be kind.", "Greet me."]) expect(readSent()).toContain(word);
    const [refused] = await socket.create({ model, prompt: { id } });
    expect(refused).toMatchObject({ type: "error", error: { param: "prompt.variables.mood" } });
  });

  test("go on from one another where nothing is kept, and only on their connection", async () => {
    const socket = await connect();
    const first = endOf(await socket.create({ model, input: "My name is Ada", store: false }));
    const next = { model, previous_response_id: first.id, store: false };
    const second = endOf(await socket.create({ ...next, input: "What is it?" }));
    expect(second).toMatchObject({ previous_response_id: first.id, store: false });
    for (const word of ["My name is Ada", "Hello", "What is it?"]) expect(readSent()).toContain(word);
    expect(readSent()).not.toContain(first.id);
    endOf(await socket.create({ ...next, previous_response_id: second.id, input: "Sure?" }));
    for (const word of ["My name is Ada", "What is it?", "Sure?"]) expect(readSent()).toContain(word);
    const [refused] = await (await connect()).create({ ...next, input: "What is it?" });
    expect(refused).toMatchObject({ type: "error", status: 400 });
    expect(readCode(refused)).toBe("previous_response_not_found");
    const client = officialClient(gateway.baseUrl, gateway.key);
    expect((await catchRefusal(client.responses.retrieve(first.id))).status).toBe(404);
  });
});

test("a response that its project keeps is gone on from over a WebSocket, and the other way round", async () => {
  await keep("whole");
  const client = officialClient(gateway.baseUrl, gateway.key);
  const posted = await client.responses.create({ model: "chat", input: "My name is Ada" });
  const socket = await connect();
  const next = { model: "chat", previous_response_id: posted.id, input: "What is it?" };
  const response = endOf(await socket.create(next));
  expect(readSent()).toContain("My name is Ada");
  expect(response.store).toBe(true);
  await client.responses.create({ model: "chat", previous_response_id: response.id, input: "Sure?" });
  for (const word of ["My name is Ada", "What is it?", "Sure?"]) expect(readSent()).toContain(word);
});

test("what a failed turn went on from is forgotten, so that its client begins again", async () => {
  const socket = await connect();
  const first = endOf(await socket.create({ model: "chat", input: "One", store: false }));
  const next = { model: "chat", previous_response_id: first.id, store: false };
  const [failed] = await socket.create({ ...next, input: "Two", temperature: 9 });
  expect(failed).toMatchObject({ type: "error", status: 400 });
  expect(failed).toMatchObject({ error: { param: "temperature" } });
  const [retried] = await socket.create({ ...next, input: "Two" });
  expect(readCode(retried)).toBe("previous_response_not_found");
  endOf(await socket.create({ model: "chat", input: "Three" }));
});

test("a connection that is warmed up costs nothing, and is gone on from", async () => {
  const socket = await connect();
  const tools = [{ type: "function", name: "f", parameters: { type: "object", properties: {} } }];
  for (const input of [[{ role: "user", content: "My name is Ada" }], [], undefined]) {
    const events = await socket.create({ model: "chat", input, tools, generate: false, store: false });
    const warm = endOf(events);
    expect(warm).toMatchObject({ output: [], usage: { total_tokens: 0 }, tools: [{ name: "f" }] });
    expect(chat.visits).toEqual([]);
    endOf(await socket.create({ model: "chat", previous_response_id: warm.id, input: "Who am I?" }));
    const sent = readSent();
    expect(sent).toContain("Who am I?");
    expect(sent.includes("My name is Ada")).toBe(input?.length === 1);
    chat.visits.length = 0;
  }
  const [refused] = await socket.create({ model: "unknown", input: "Hi", generate: false });
  expect(readCode(refused)).toBe("model_not_found");
});

test("a second response at a time is refused, and the first goes on", async () => {
  const gate = Promise.withResolvers<void>();
  chat.answerWith(async () => {
    await gate.promise;
    return { message: { content: "Hello" } };
  });
  const socket = await connect();
  const create = { type: "response.create", model: "chat", input: "Hi" };
  socket.send(create);
  socket.send(create);
  const refused = await socket.until("error");
  expect(refused.status).toBe(429);
  expect(readCode(refused)).toBe("concurrency");
  gate.resolve();
  await socket.until("response.completed");
  expect(chat.visits).toHaveLength(1);
  endOf(await socket.create({ model: "chat", input: "Hi again" }));
});

test("each turn is checked by itself: limits refuse it with what helps to wait, and the connection stays", async () => {
  await gateway.setLimits("chat", { max_requests_per_1_minute: 1 });
  try {
    const socket = await connect();
    gateway.pass(61_000);
    endOf(await socket.create({ model: "chat", input: "One" }));
    const [refused] = await socket.create({ model: "chat", input: "Two" });
    expect(refused).toMatchObject({ type: "error", status: 429 });
    expect(readCode(refused)).toBe("max_requests_per_1_minute");
    const headers = refused?.headers as Record<string, string>;
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    gateway.pass(61_000);
    endOf(await socket.create({ model: "chat", input: "Three" }));
    // A refusal is written at the latest before the next charge.
    const receipt = await readReceipt(gateway, headers["x-request-id"] ?? "");
    expect(receipt.request.refused_by).toBe("max_requests_per_1_minute");
  } finally {
    await gateway.setLimits("chat", { max_requests_per_1_minute: 1_000 });
  }
});

test("a revoked key ends its connection at the next event", async () => {
  const keys = `/organization/projects/${gateway.projectId}/api_keys`;
  const { value, id } = await gateway.admin<{ value: string; id: string }>("POST", keys, { name: "Short" });
  const socket = await connect({}, value);
  endOf(await socket.create({ model: "chat", input: "One" }));
  await fetch(`${gateway.baseUrl}${keys}/${id}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${gateway.adminKey}` },
  });
  const [refused] = await socket.create({ model: "chat", input: "Two" });
  expect(refused).toMatchObject({ type: "error", status: 401 });
  expect(await socket.closed).toMatchObject({ code: 1008 });
  expect(chat.visits).toHaveLength(1);
});

test("a client that leaves ends its call, which is charged for what came", async () => {
  const piece = (content: string) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
  chat.answerWith(() => {
    const stream = new ReadableStream({ start: (controller) => controller.enqueue(piece("Hel")) });
    return new Response(stream, { headers: { "content-type": "text/event-stream" } });
  });
  const socket = await connect();
  socket.send({ type: "response.create", model: "chat", input: "Hi" });
  const { response } = await socket.until("response.created");
  await socket.until("response.output_text.delta");
  socket.close();
  await chat.visits[0]?.aborted;
  const read = () => readReceipt(gateway, requestIdOf(response as { id: string }));
  while ((await read()).request.outcome === "in_progress") await new Promise(setImmediate);
  const { request } = await read();
  expect(request).toMatchObject({ outcome: "client_gone", status: 499 });
  expect(Number(request.amount)).toBeGreaterThan(0);
});

test("an answer that breaks off midway ends with its error and the response that failed, and the connection stays", async () => {
  chat.answerWith(() => {
    const piece = 'data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}\n\n';
    return new Response(piece, { headers: { "content-type": "text/event-stream" } });
  });
  const socket = await connect();
  const events = await socket.create({ model: "chat", input: "Hi", store: false });
  expect(events.slice(-2).map(({ type }) => type)).toEqual(["error", "response.failed"]);
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
  const failed = events.at(-1)?.response as { id: string };
  expect(failed).toMatchObject({ status: "failed", error: { code: "provider_error" } });
  chat.answerWith(() => ({ message: { content: "Hello" } }));
  const [lost] = await socket.create({ model: "chat", input: "Hi", previous_response_id: failed.id });
  expect(readCode(lost)).toBe("previous_response_not_found");
  endOf(await socket.create({ model: "chat", input: "Hi" }));
});

test("a connection ends after an hour, between its turns, and says so", async () => {
  const [used, idle] = [await connect(), await connect()];
  endOf(await used.create({ model: "chat", input: "One" }));
  gateway.pass(HOUR_MS);
  const [refused] = await used.create({ model: "chat", input: "Two" });
  expect(readCode(refused)).toBe("websocket_connection_limit_reached");
  expect(await used.closed).toMatchObject({ code: 1000 });
  // The other one without an event of its client's.
  expect(readCode(await idle.until("error"))).toBe("websocket_connection_limit_reached");
  expect(await idle.closed).toMatchObject({ code: 1000 });
});

describe("an event that can't be read is refused by its field, and the connection stays:", () => {
  test.each<[string, string | Fields, string]>([
    ["no JSON", "Hello", "type"],
    ["no object", "[1]", "type"],
    ["another type", { type: "response.steer", model: "chat" }, "type"],
    ["a response in the background", { type: "response.create", background: true }, "background"],
    ["a strange stream", { type: "response.create", stream_id: 7 }, "stream_id"],
    ["a strange warm-up", { type: "response.create", generate: "no" }, "generate"],
    ["a field that is there twice", '{"type":"response.create","model":"a","model":"b"}', "model"],
    ["no model", { type: "response.create", input: "Hi" }, "model"],
    ["broken JSON", '{"type":"response.create","model":"chat","input":"Hi"', "body"],
  ])("%s", async (_, event, param) => {
    const socket = await connect();
    socket.send(event);
    const refused = await socket.next();
    expect(refused).toMatchObject({ type: "error", status: 400, error: { param } });
    endOf(await socket.create({ model: "chat", input: "Hi" }));
  });
});

test("only who may call models connects, and only by a handshake", async () => {
  await expect(openResponseSocket({ baseUrl: gateway.baseUrl, key: "sk-wrong" })).rejects.toThrow();
  const headers = { authorization: `Bearer ${gateway.key}` };
  const reply = await fetch(`${gateway.baseUrl}/responses`, { headers });
  expect(reply.status).toBe(405);
  expect(reply.headers.get("upgrade")).toBe("websocket");
});

test("connections count by their address", async () => {
  const at = (address: string) => connect({ "x-test-address": address });
  const most = 256;
  // One key has fewer than that.
  const keys = `/organization/projects/${gateway.projectId}/api_keys`;
  const { value } = await gateway.admin<{ value: string }>("POST", keys, { name: "Second" });
  const first = await connect({ "x-test-address": "203.0.113.7" }, value);
  for (let count = 1; count < 10; count++) await connect({ "x-test-address": "203.0.113.7" }, value);
  await Promise.all(Array.from({ length: most - 10 }, () => at("203.0.113.7")));
  await expect(at("203.0.113.7")).rejects.toThrow();
  await at("203.0.113.8");
  first.close();
  await first.closed;
  // The place is free once the server has seen it close too.
  for (;;) {
    const connected = await at("203.0.113.7").catch(() => null);
    if (connected) break;
  }
});

test("the official SDK holds a conversation over it, also with the name of a stream", async () => {
  const socket = new ResponsesWS(officialClient(gateway.baseUrl, gateway.key));
  try {
    let previous: string | undefined;
    for (const input of ["My name is Ada", "What is it?"]) {
      const events: { readonly type: string; readonly stream_id?: string }[] = [];
      const ended = new Promise<string>((resolve, reject) => {
        socket.on("event", (event) => events.push(event as { type: string }));
        socket.once("response.completed", ({ response }) => resolve(response.id));
        socket.once("error", reject);
      });
      socket.send({
        type: "response.create",
        model: "chat",
        input,
        store: false,
        stream_id: "main",
        ...(previous && { previous_response_id: previous }),
      });
      previous = await ended;
      expect(new Set(events.map(({ stream_id }) => stream_id))).toEqual(new Set(["main"]));
    }
    expect(readSent()).toContain("My name is Ada");
  } finally {
    socket.close();
  }
});
