import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { brotliCompressSync } from "node:zlib";
import { listCharges, readHeld } from "../../support/clients/list-charges";
import { fetchWithKey } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import {
  chunkEvent,
  DONE,
  type ScriptedProvider,
  scriptedConfiguration,
  startScriptedProvider,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";

const usage = { prompt_tokens: 11, completion_tokens: 3 };
const completion = JSON.stringify({ choices: [{ index: 0, message: { content: "Hé" } }], usage });
const content = chunkEvent({ content: "a" });
const eventStream = { "content-type": "text/event-stream" };

let provider: ScriptedProvider;
let gateway: ServedGateway;

beforeEach(() => {
  provider = startScriptedProvider();
});

afterEach(async () => {
  await gateway.close();
  await provider.stop();
});

async function serve(timeouts: object = {}, baseUrl = provider.baseUrl): Promise<void> {
  gateway = await serveGateway({
    isExpectedFault: isProviderFault,
    config: scriptedConfiguration({ baseUrl }, { timeouts }),
    hasRunningClock: true,
  });
}

async function call(stream: boolean) {
  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key: gateway.key,
    body: { model: "fake", messages: [{ role: "user", content: "Hello" }], stream },
  });
  const text = await reply.text();
  const [error = "{}"] = /\{"error".*/.exec(text) ?? [];
  return { status: reply.status, headers: reply.headers, text, code: JSON.parse(error).error?.code };
}

const held = () => readHeld(gateway);
const charges = async () =>
  (await listCharges(gateway)).map(({ basis, completion_tokens }) => ({ basis, completion_tokens }));
const chargedFor = (count: number) =>
  count === 0 ? [] : [{ basis: "estimated" as const, completion_tokens: count }];

/** Endless pieces, each sent after the previous one has left. */
function drip(first: string, piece: string, headers: Record<string, string> = eventStream) {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      controller.enqueue(Buffer.from(first));
      first = piece;
      await Bun.sleep(20);
    },
  });
  return new Response(body, { headers });
}

/** A server that sends these bytes to every client and then resets the connection. */
function startResetting(sent: string) {
  const listener = Bun.listen({
    port: 0,
    hostname: "127.0.0.1",
    socket: {
      data(socket) {
        socket.write(sent);
        socket.flush();
        setImmediate(() => socket.terminate());
      },
    },
  });
  return {
    baseUrl: `http://127.0.0.1:${listener.port}/v1`,
    [Symbol.dispose]: () => listener.stop(true),
  };
}

describe("compressed against our wish", () => {
  const encodings: [string, (text: string) => Uint8Array][] = [
    ["gzip", Bun.gzipSync],
    ["br", brotliCompressSync],
    ["zstd", Bun.zstdCompressSync],
  ];

  test.each(encodings)("an answer in %s is read all the same", async (encoding, compress) => {
    provider.answerWith(
      () => new Response(new Uint8Array(compress(completion)), { headers: { "content-encoding": encoding } }),
    );
    await serve();
    const reply = await call(false);
    expect([reply.status, reply.text, reply.headers.get("content-encoding")]).toEqual([
      200,
      completion,
      null,
    ]);
  });

  test.each(encodings)("a stream in %s, too", async (encoding, compress) => {
    const body = new Uint8Array(compress(content + usageEvent(usage) + DONE));
    provider.answerWith(
      () => new Response(body, { headers: { ...eventStream, "content-encoding": encoding } }),
    );
    await serve();
    expect((await call(true)).text).toBe(content + DONE);
    expect(await held()).toBe("0.00");
  });

  test("rejects a reply that contradicts its headers", async () => {
    provider.answerWith(() => new Response(completion, { headers: { "content-encoding": "gzip" } }));
    await serve();
    expect(await call(false)).toMatchObject({ status: 502, code: "provider_error" });
    expect([await charges(), await held()]).toEqual([[], "0.00"]);
  });
});

describe("within an answer", () => {
  test.each([
    ["the connection is reset", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"],
    [
      "the connection is reset within a chunk",
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n64\r\n{",
    ],
    ["the chunks make no sense", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{"],
    ["the headers make no sense", "HTTP/1.1 200 OK\r\n\0\0\r\n\r\n{"],
    ["there is no HTTP", "+OK ready\r\n"],
  ])("%s", async (_name, sent) => {
    using resetting = startResetting(sent);
    await serve({}, resetting.baseUrl);
    expect(await call(false)).toMatchObject({ status: 502, code: "provider_error" });
    expect([await charges(), await held()]).toEqual([[], "0.00"]);
  });

  test("a byte now and then is given up", async () => {
    provider.answerWith(() => drip('{"choices":[', "1"));
    await serve({ idle_seconds: 0.3 });
    expect(await call(false)).toMatchObject({ status: 504, code: "provider_timeout" });
    await provider.visits[0]?.aborted;
    expect([await charges(), await held()]).toEqual([[], "0.00"]);
  });

  test("blanks keep it waiting, until its whole time is over", async () => {
    provider.answerWith(() => drip(" ", "\n"));
    await serve({ idle_seconds: 10, total_seconds: 0.3 });
    expect(await call(false)).toMatchObject({ status: 504, code: "provider_timeout" });
    await provider.visits[0]?.aborted;
    expect([await charges(), await held()]).toEqual([[], "0.00"]);
  });
});

describe("within a stream", () => {
  const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
  const chunk = `${content.length.toString(16)}\r\n${content}\r\n`;
  test.each([
    ["the connection is reset", head + chunk + chunk],
    ["the connection is reset within a chunk", `${head}${chunk}${chunk}ff\r\ndata: {`],
    ["the chunks make no sense", `${head}${chunk}${chunk}zz\r\n`],
  ])("%s", async (_name, sent) => {
    using resetting = startResetting(sent);
    await serve({}, resetting.baseUrl);
    const reply = await call(true);
    expect(reply.code).toBe("provider_error");
    const forwarded = reply.text.split(content).length - 1;
    expect([await charges(), await held()]).toEqual([chargedFor(forwarded), "0.00"]);
  });

  test.each([
    ["JSON cut short", 'data: {"choices":[{"delta":{"content":"b"\n\n'],
    [
      "JSON cut short behind its text",
      'data: {"choices":[{"delta":{"content":"b"}\n\n'.replace("}\n", "}]\n"),
    ],
    ["a usage that is no JSON", 'data: {"choices":[],"usage":{"prompt_tokens":}}\n\n'],
  ])("an event is %s", async (_name, event) => {
    provider.answerWith(() => streamChunks([content + content + event + content + DONE]));
    await serve();
    const { text, code } = await call(true);
    expect([text.startsWith(content + content), code]).toEqual([true, "provider_error"]);
    expect([await charges(), await held()]).toEqual([chargedFor(2), "0.00"]);
    expect(text.split(content)).toHaveLength(3);
  });

  test("passes comments and other fields through, and nothing that is no chunk", async () => {
    const passedOn = [": ping\r\n\r\n", `id: 7\nretry: 10\n${content}`];
    const events = ["event: ping\n\n", "data: \n\n", "data: oops\n\n", "data: 5\r\r", ...passedOn];
    provider.answerWith(() => streamChunks([...events, usageEvent(usage), DONE]));
    await serve();
    expect((await call(true)).text).toBe([...passedOn, DONE].join(""));
    expect(await held()).toBe("0.00");
  });

  test("a byte now and then is given up", async () => {
    provider.answerWith(() => drip(content + content, "d"));
    await serve({ idle_seconds: 0.3 });
    expect((await call(true)).code).toBe("provider_timeout");
    await provider.visits[0]?.aborted;
    expect([await charges(), await held()]).toEqual([chargedFor(2), "0.00"]);
  });

  test("comments keep it open, until its whole time is over", async () => {
    provider.answerWith(() => drip(content + content, ": ping\n\n"));
    await serve({ idle_seconds: 10, total_seconds: 0.3 });
    expect((await call(true)).code).toBe("provider_timeout");
    await provider.visits[0]?.aborted;
    expect([await charges(), await held()]).toEqual([chargedFor(2), "0.00"]);
  });
});

test.each([429, 529])(
  "a storm of %i: each call is answered in one clear error, and sent once",
  async (status) => {
    provider.answerWith(() => new Response(null, { status, headers: { "retry-after": "3" } }));
    await serve();
    const replies = await Promise.all(Array.from({ length: 200 }, (_, index) => call(index % 2 === 0)));
    const expected = { status: status === 429 ? 429 : 502, code: "provider_error" };
    for (const reply of replies) expect(reply).toMatchObject(expected);
    expect(provider.visits).toHaveLength(200);
    expect([await charges(), await held()]).toEqual([[], "0.00"]);
  },
);
