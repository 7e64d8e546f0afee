import { afterAll, afterEach, expect, test } from "bun:test";
import { openRawConnection, requestText } from "../../support/clients/raw-connection";
import { until } from "../../support/clients/until";
import { serveGateway } from "../../support/gateways/serve-gateway";
import {
  chunkEvent,
  DONE,
  scriptedConfiguration,
  startScriptedProvider,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";

const MAX_PER_NETWORK = 5;
const linux = test.if(process.platform === "linux");

const provider = startScriptedProvider();
const PROXY = "127.0.0.4";
const gateway = await serveGateway({
  config: scriptedConfiguration(provider),
  shares: { maxPerNetwork: MAX_PER_NETWORK, exempt: [PROXY] },
});
const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});
afterAll(async () => {
  await gateway.close();
  await provider.stop();
});

/** Idle connections, with the number of those that were closed. */
async function open(count: number, from: string) {
  const all = await Promise.all(
    Array.from({ length: count }, () => openRawConnection(gateway.baseUrl, from)),
  );
  endings.push(() => {
    for (const connection of all) connection.breakOff();
  });
  for (const connection of all) await connection.send("GET /healthz HTTP/1.1\r\nhost: gateway.test\r\n\r\n");
  const closed = new Set<(typeof all)[number]>();
  for (const connection of all) void connection.closed.then(() => closed.add(connection));
  return {
    all,
    closed,
    untilAtMostOpen: (most: number) => until(`at most ${most} are open`, () => count - closed.size <= most),
  };
}

async function beginCall(from: string, stream: boolean) {
  const connection = await openRawConnection(gateway.baseUrl, from);
  const body = JSON.stringify({ model: "fake", stream, messages: [{ role: "user", content: "Hello" }] });
  const text = requestText("/v1/chat/completions", { key: gateway.key, body });
  await connection.send(text.replace("host:", "connection: close\r\nhost:"));
  return connection;
}

linux("of an address with too many connections those that rest are closed, down to its share", async () => {
  const letGo = Promise.withResolvers<void>();
  const usage = { prompt_tokens: 1, completion_tokens: 1 };
  provider.answerWith(async ({ body }) => {
    if (JSON.parse(body).stream)
      return streamChunks([chunkEvent({ content: "begun" }), letGo.promise, usageEvent(usage), DONE]);
    await letGo.promise;
    return Response.json({ choices: [{ message: { content: "waited for" } }], usage });
  });
  // The oldest connection, which would be closed first.
  const streaming = await beginCall("127.0.0.2", true);
  const waiting = await beginCall("127.0.0.2", false);
  await until("both calls have come", () => provider.visits.length === 2);
  const resting = await open(MAX_PER_NETWORK + 2, "127.0.0.2");
  const withinShare = await open(MAX_PER_NETWORK, "127.0.0.3");
  const ownMachine = await open(MAX_PER_NETWORK + 2, "127.0.0.1");
  await resting.untilAtMostOpen(MAX_PER_NETWORK - 2);
  expect(gateway.lines.join()).toContain("resting connections of addresses with too many, last 127.0.0.2.");
  for (const { all, closed } of [resting, withinShare, ownMachine]) {
    for (const connection of all.filter((one) => !closed.has(one))) {
      await connection.send("GET /healthz HTTP/1.1\r\nhost: gateway.test\r\nconnection: close\r\n\r\n");
      expect((await connection.closed).split("HTTP/1.1 200")).toHaveLength(3);
    }
  }
  letGo.resolve();
  expect(await streaming.closed).toContain("data: [DONE]");
  expect(await waiting.closed).toContain('"content":"waited for"');
});

linux("a proxy that is trusted has no share", async () => {
  const proxy = await open(MAX_PER_NETWORK + 2, PROXY);
  const stranger = await open(MAX_PER_NETWORK + 2, "127.0.0.5");
  await stranger.untilAtMostOpen(MAX_PER_NETWORK);
  expect(proxy.closed.size).toBe(0);
});
