import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { listCharges, readHeld } from "../../support/clients/list-charges";
import { listOutcomes } from "../../support/clients/read-requests";
import { fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import {
  chunkEvent,
  DONE,
  type ScriptedProvider,
  startScriptedProvider,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";

const usage = { prompt_tokens: 11, completion_tokens: 3 };
const completion = () => Response.json({ choices: [], usage });
const stream = () => streamChunks([chunkEvent({ content: "a" }), usageEvent(usage), DONE]);
const respondWith = (status: number) => () => new Response(null, { status });
/** A body that is shorter than announced. */
const brokenBody = () => new Response("{", { headers: { "content-length": "100" } });

let first: ScriptedProvider;
let second: ScriptedProvider;
let gateway: ServedGateway;

beforeEach(() => {
  first = startScriptedProvider();
  second = startScriptedProvider();
  second.answerWith(completion);
});

afterEach(async () => {
  await gateway.close();
  await first.stop();
  await second.stop();
});

/** A gateway whose model is routed to these addresses in turn. */
async function serve(addresses: readonly string[], limits: object = {}): Promise<void> {
  const providers = addresses.map((base_url, index) => ({
    id: `p${index + 1}`,
    kind: "openai",
    base_url,
    ...limits,
  }));
  const routes = providers.map(({ id }) => ({ provider: id, model: `model-at-${id}` }));
  await serveRoutes(providers, routes);
}

async function serveRoutes(providers: readonly object[], routes: readonly object[]): Promise<void> {
  const price = { input_per_1m: "1.00", output_per_1m: "2.00" };
  const model = { id: "fake", family: "chat", rate: "1", price, max_output_tokens: 1000, routes };
  gateway = await serveGateway({
    isExpectedFault: isProviderFault,
    config: JSON.stringify({ providers, models: [model] }),
    hasRunningClock: true,
  });
}

async function call(isStream = false, more: object = {}) {
  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key: gateway.key,
    body: { model: "fake", messages: [{ role: "user", content: "Hi" }], stream: isStream, ...more },
  });
  return { status: reply.status, text: await reply.text() };
}

async function expectOneChargeInOneHold(): Promise<void> {
  expect(await listCharges(gateway)).toMatchObject([{ amount: "0.000017" }]);
  expect(await listOutcomes(gateway)).toEqual(["completed"]);
  expect(await readHeld(gateway)).toBe("0.00");
}

async function expectNothingCharged(): Promise<void> {
  expect(await listCharges(gateway)).toEqual([]);
  expect(await listOutcomes(gateway)).toEqual(["provider_failed"]);
  expect(await readHeld(gateway)).toBe("0.00");
}

const visits = () => [first.visits.length, second.visits.length];

/** Accepts requests, and handles each connection like this. */
function listen(answer: (socket: Bun.Socket, request: number) => void) {
  let requests = 0;
  const listener = Bun.listen({
    port: 0,
    hostname: "127.0.0.1",
    socket: { data: (socket) => answer(socket, ++requests) },
  });
  return {
    baseUrl: `http://127.0.0.1:${listener.port}/v1`,
    requests: () => requests,
    [Symbol.dispose]: () => listener.stop(true),
  };
}

describe("the next route answers, with the same hold and one charge", () => {
  test.each([401, 402, 405, 408, 409, 410, 429, 451, 500, 502, 503, 504, 529])(
    "the first answers %i",
    async (status) => {
      first.answerWith(respondWith(status));
      await serve([first.baseUrl, second.baseUrl]);
      expect((await call()).status).toBe(200);
      expect(visits()).toEqual([1, 1]);
      expect(JSON.parse(second.visits[0]?.body ?? "").model).toBe("model-at-p2");
      await expectOneChargeInOneHold();
    },
  );

  test("a stream, too", async () => {
    first.answerWith(respondWith(503));
    second.answerWith(stream);
    await serve([first.baseUrl, second.baseUrl]);
    expect((await call(true)).text).toBe(chunkEvent({ content: "a" }) + DONE);
    await expectOneChargeInOneHold();
  });

  test("a provider of another kind, whose count of the prompt the hold covers too", async () => {
    const routes = [
      // Counts words: one, where the second provider counts eleven tokens.
      { provider: "sandbox", model: "sandbox-429" },
      { provider: "p1", model: "model-at-p1" },
    ];
    await serveRoutes([{ id: "p1", kind: "openai", base_url: second.baseUrl }], routes);
    expect((await call(false, { max_tokens: 3 })).status).toBe(200);
    await expectOneChargeInOneHold();
  });

  test("the first two refuse connections", async () => {
    const refusing = startScriptedProvider();
    await refusing.stop();
    await first.stop();
    await serve([first.baseUrl, refusing.baseUrl, second.baseUrl]);
    expect((await call()).status).toBe(200);
    await expectOneChargeInOneHold();
  });

  test("the first resets the connection before its first byte", async () => {
    using resetting = listen((socket) => socket.terminate());
    await serve([resetting.baseUrl, second.baseUrl]);
    expect((await call()).status).toBe(200);
    expect(resetting.requests()).toBe(1);
    await expectOneChargeInOneHold();
  });

  test("the first answers nothing in time", async () => {
    first.answerWith(() => new Promise<Response>(() => {}));
    await serve([first.baseUrl, second.baseUrl], {
      timeouts: { first_event_seconds: 0.2, whole_answer_seconds: 0.2 },
    });
    expect((await call()).status).toBe(200);
    expect(visits()).toEqual([1, 1]);
    await expectOneChargeInOneHold();
  });

  test("the first is at its maximum of concurrent calls", async () => {
    first.answerWith(() => new Promise(() => {}));
    await serve([first.baseUrl, second.baseUrl], { max_concurrent_requests: 1 });
    void call().catch(() => {});
    await until("the first provider is called", () => first.visits.length > 0);
    expect((await call()).status).toBe(200);
    expect(visits()).toEqual([1, 1]);
  });
});

describe("if an answer has begun, or the request is invalid, no other route is called", () => {
  test.each([
    ["400", respondWith(400), 400],
    ["a body that breaks off", brokenBody, 502],
    ["no completion", () => new Response("<html>"), 502],
  ])("%s", async (_name, answer, status) => {
    first.answerWith(answer);
    await serve([first.baseUrl, second.baseUrl]);
    expect((await call()).status).toBe(status);
    expect(visits()).toEqual([1, 0]);
    await expectNothingCharged();
  });

  test("a stream that breaks off before its first event", async () => {
    first.answerWith(() => streamChunks([": wait\n\n"]));
    await serve([first.baseUrl, second.baseUrl]);
    expect((await call(true)).text).toContain("provider_error");
    expect(visits()).toEqual([1, 0]);
    await expectNothingCharged();
  });
});

describe("a model with one route", () => {
  test.each([500, 502, 503])("is called again once after a %i", async (status) => {
    first.answerWith(() => (first.visits.length === 1 ? respondWith(status)() : completion()));
    await serve([first.baseUrl]);
    expect((await call()).status).toBe(200);
    expect(visits()).toEqual([2, 0]);
    await expectOneChargeInOneHold();
  });

  test("is called again once if it had closed the idle connection", async () => {
    const body = JSON.stringify({ choices: [], usage });
    using forgetful = listen((socket, request) => {
      if (request === 2) socket.end();
      else socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    });
    await serve([forgetful.baseUrl]);
    expect([(await call()).status, (await call()).status]).toEqual([200, 200]);
    expect(forgetful.requests()).toBe(3);
  });

  test.each([
    [500, 2],
    [529, 2],
    [504, 1],
    [429, 1],
  ])("that answers %i is called %i times", async (status, times) => {
    first.answerWith(respondWith(status));
    await serve([first.baseUrl]);
    expect((await call()).status).toBe(status === 429 || status === 504 ? status : 502);
    expect(visits()).toEqual([times, 0]);
    await expectNothingCharged();
  });
});
