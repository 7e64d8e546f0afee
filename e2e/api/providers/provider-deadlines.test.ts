import { afterEach, describe, expect, test } from "bun:test";
import { listCharges, readHeld, untilNothingIsHeld } from "../../support/clients/list-charges";
import { listOutcomes } from "../../support/clients/read-requests";
import { fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { openBlackHole } from "../../support/servers/black-hole";
import {
  chunkEvent,
  type ScriptedProvider,
  scriptedConfiguration,
  startScriptedProvider,
  streamChunks,
} from "../../support/servers/scripted-provider";

const never = new Promise<never>(() => {});
const open: { close?: () => Promise<void>; stop?: () => Promise<void> | void }[] = [];
let gateway: ServedGateway;
let provider: ScriptedProvider;

afterEach(async () => {
  for (const one of open.splice(0)) await (one.close ?? one.stop)?.();
});

/** A gateway with one provider, which is cut off by this deadline; the other deadlines are too long to matter. */
async function serveWith(timeouts: object): Promise<void> {
  provider = startScriptedProvider();
  gateway = await serveGateway({
    isExpectedFault: isProviderFault,
    config: scriptedConfiguration(provider, { timeouts }),
    hasRunningClock: true,
  });
  open.push(gateway, provider);
}

async function call(stream: boolean, signal?: AbortSignal) {
  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key: gateway.key,
    body: { model: "fake", messages: [{ role: "user", content: "Hello" }], stream },
    ...(signal && { signal }),
  });
  const text = await reply.text();
  const [error] = /\{"error".*/.exec(text) ?? ["{}"];
  return { status: reply.status, code: JSON.parse(error).error?.code };
}

const charges = () => listCharges(gateway);

async function expectNothingCharged(outcomes: readonly string[]): Promise<void> {
  expect(await charges()).toEqual([]);
  expect(await readHeld(gateway)).toBe("0.00");
  expect(await listOutcomes(gateway)).toEqual([...outcomes]);
}

describe.each([
  ["a whole answer", false],
  ["a stream", true],
])("a provider that is silent is given up in time: %s", (_name, stream) => {
  // Other systems accept connections beyond a full queue.
  test.if(process.platform === "linux")("it accepts no connection", async () => {
    const hole = await openBlackHole();
    open.push(hole);
    gateway = await serveGateway({
      isExpectedFault: isProviderFault,
      config: scriptedConfiguration(hole, { timeouts: { connect_seconds: 0.2 } }),
      hasRunningClock: true,
    });
    open.push(gateway);
    const replies = await Promise.all(Array.from({ length: 20 }, () => call(stream)));
    for (const reply of replies) expect(reply).toEqual({ status: 504, code: "provider_timeout" });
    await expectNothingCharged(Array(20).fill("unsent"));
  });

  test("it sends nothing", async () => {
    await serveWith({ first_event_seconds: 0.2, whole_answer_seconds: 0.2 });
    provider.answerWith(() => never);
    expect(await call(stream)).toEqual({ status: 504, code: "provider_timeout" });
    await provider.visits[0]?.aborted;
    await expectNothingCharged(["provider_failed"]);
  });

  test("no event follows the headers of its reply", async () => {
    await serveWith({ idle_seconds: 0.2 });
    provider.answerWith(() => streamChunks([stream ? ": wait\n\n" : " ", never]));
    const { status, code } = await call(stream);
    expect([status, code]).toEqual([stream ? 200 : 504, "provider_timeout"]);
    await provider.visits[0]?.aborted;
    await expectNothingCharged(["provider_failed"]);
  });

  test("it falls silent within its answer", async () => {
    await serveWith({ idle_seconds: 0.2 });
    const content = chunkEvent({ content: "a" });
    provider.answerWith(() => streamChunks([stream ? content + content : '{"choices":', never]));
    expect((await call(stream)).code).toBe("provider_timeout");
    await provider.visits[0]?.aborted;
    expect(await charges()).toMatchObject(stream ? [{ basis: "estimated", completion_tokens: 2 }] : []);
    expect(await readHeld(gateway)).toBe("0.00");
  });
});

const body = '{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1}}';
const answer = `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

test.if(process.platform === "linux")("who leaves before anything was sent pays nothing", async () => {
  const hole = await openBlackHole();
  open.push(hole);
  gateway = await serveGateway({
    isExpectedFault: isProviderFault,
    config: scriptedConfiguration(hole, { timeouts: { connect_seconds: 0.5 } }),
    hasRunningClock: true,
  });
  open.push(gateway);
  const leave = new AbortController();
  const left = call(false, leave.signal).catch((error: Error) => error.name);
  await until("the call is held", async () => (await readHeld(gateway)) !== "0.00");
  leave.abort();
  expect(await left).toBe("AbortError");
  await untilNothingIsHeld(gateway);
  await expectNothingCharged(["unsent"]);
});

describe("whether a provider is there", () => {
  /** A gateway whose provider handles each connection and request like this, both counted from 1. */
  async function serveRaw(
    {
      onOpen = () => {},
      onRequest,
    }: {
      onOpen?: (connection: number) => void;
      onRequest: (socket: Bun.Socket, request: number) => void;
    },
    timeouts: object = {},
  ) {
    let connections = 0;
    let requests = 0;
    const listener = Bun.listen({
      port: 0,
      hostname: "127.0.0.1",
      socket: { open: () => onOpen(++connections), data: (socket) => onRequest(socket, ++requests) },
    });
    const baseUrl = `http://127.0.0.1:${listener.port}/v1`;
    gateway = await serveGateway({
      isExpectedFault: isProviderFault,
      config: scriptedConfiguration({ baseUrl }, { timeouts }),
      hasRunningClock: true,
    });
    open.push(gateway, { stop: () => listener.stop(true) });
    return { connections: () => connections };
  }

  test("is looked up before its first call, not before those that follow an answer", async () => {
    const { connections } = await serveRaw({ onRequest: (socket) => socket.end(answer) });
    for (let calls = 0; calls < 3; calls++) expect((await call(false)).status).toBe(200);
    expect(connections()).toBe(4);
  });

  test.if(process.platform === "linux")(
    "is looked up again when it is silent: one that is gone is given up",
    async () => {
      const hole = await openBlackHole();
      gateway = await serveGateway({
        isExpectedFault: isProviderFault,
        config: scriptedConfiguration(hole, { timeouts: { connect_seconds: 0.2 } }),
        hasRunningClock: true,
      });
      open.push(gateway, hole);
      const [first] = await Promise.all([call(false), hole.answerOnce(answer)]);
      expect(first.status).toBe(200);
      expect(await call(false)).toEqual({ status: 504, code: "provider_timeout" });
      expect(await readHeld(gateway)).toBe("0.00");
      expect((await listOutcomes(gateway)).toSorted()).toEqual(["completed", "provider_failed"]);
    },
  );

  test("a slow one is waited for", async () => {
    let asking: Bun.Socket | undefined;
    await serveRaw(
      {
        onOpen: (connection) => void (connection === 3 && asking?.end(answer)),
        onRequest: (socket) => {
          asking = socket;
        },
      },
      { connect_seconds: 0.2 },
    );
    expect((await call(false)).status).toBe(200);
  });
});
