import { beforeEach, describe, expect, test } from "bun:test";
import { type AddressInfo, createServer, type Server } from "node:net";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { listCharges, readHeld, untilNothingIsHeld } from "../../support/clients/list-charges";
import { listOutcomes } from "../../support/clients/read-requests";
import { fetchWithKey } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedForAll } from "../../support/gateways/serve-scripted";
import {
  chunkEvent,
  DONE,
  type ScriptedProvider,
  scriptedConfiguration,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";

let provider: ScriptedProvider;
let gateway: ServedGateway;

// Two failures in a row open the circuit.
serveScriptedForAll(
  (served) =>
    scriptedConfiguration(served, {
      circuit: { failures: 2, pause_seconds: 60 },
      timeouts: { idle_seconds: 0.3 },
    }),
  (served) => {
    ({ provider, gateway } = served);
  },
  { isExpectedFault: isProviderFault, hasRunningClock: true },
);

beforeEach(() => gateway.pass(120_000));

type Part = string | Promise<void>;
const never = new Promise<void>(() => {});
const usage = { prompt_tokens: 3, completion_tokens: 2 };
const words = [chunkEvent({ content: "Hello" }), chunkEvent({ content: " there" })];
const finish = (index = 0, reason: unknown = "stop") =>
  `data: ${JSON.stringify({ id: "c1", choices: [{ index, delta: {}, finish_reason: reason }] })}\n\n`;
const lastWord = `data: ${JSON.stringify({ id: "c1", choices: [{ index: 0, delta: { content: "!" }, finish_reason: "stop" }] })}\n\n`;

const body = { model: "fake", messages: [{ role: "user", content: "Hello" }], max_tokens: 100, stream: true };

async function ask(fields: object = { stream_options: { include_usage: true } }): Promise<string> {
  const url = `${gateway.baseUrl}/chat/completions`;
  return (await fetchWithKey(url, { key: gateway.key, body: { ...body, ...fields } })).text();
}

/** The text that each official client reads from the stream, as it reads it. */
async function readWithClients(model = "fake"): Promise<readonly string[]> {
  const messages = [{ role: "user" as const, content: "Hello" }];
  const openai = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.key, maxRetries: 0 });
  let text = "";
  for await (const { choices } of await openai.chat.completions.create({
    model,
    messages,
    stream: true,
  }))
    text += choices[0]?.delta.content ?? "";
  const baseURL = gateway.baseUrl.replace(/\/v1$/, "");
  const anthropic = new Anthropic({ baseURL, apiKey: gateway.key, maxRetries: 0 });
  const message = await anthropic.messages.stream({ model, max_tokens: 100, messages }).finalMessage();
  const [block] = message.content;
  return [text, block?.type === "text" ? `${block.text} ${message.stop_reason}` : ""];
}

const count = (text: string, part: string) => text.split(part).length - 1;
/** How the last calls were charged, and how they ended. */
const bases = async (calls: number) => (await listCharges(gateway)).slice(-calls).map(({ basis }) => basis);
const outcomes = async (calls: number) => (await listOutcomes(gateway)).slice(0, calls);

/** A provider whose connection breaks behind these events, and the model of that name. */
async function serveBreaking(id: string, events: string): Promise<Server> {
  const chunk = `${Buffer.byteLength(events).toString(16)}\r\n${events}\r\n`;
  const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.write(head + chunk, () => socket.end()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const base_url = `http://127.0.0.1:${port}/v1`;
  await gateway.admin("POST", "/organization/providers", { id, kind: "openai", base_url });
  const price = { input_per_1m: "1", output_per_1m: "1" };
  const routes = [{ provider: id, model: id }];
  await gateway.admin("POST", "/organization/models", { id, family: "chat", rate: "1", price, routes });
  return server;
}

describe("a finish reason makes an answer whole, whatever follows it", () => {
  const reported = usageEvent(usage);
  test.each<[string, readonly Part[], "reported" | "estimated"]>([
    ["nothing", [], "estimated"],
    ["its usage", [reported], "reported"],
    ["its usage without an empty line", [reported.trimEnd()], "reported"],
    ["[DONE] alone", [DONE], "estimated"],
    ["[DONE] twice", [reported, DONE, DONE], "reported"],
    ["chunks behind [DONE]", [reported, DONE, ...words], "reported"],
    ["its usage twice", [reported, reported, DONE], "reported"],
    ["its usage behind [DONE]", [DONE, reported], "estimated"],
    ["half an event", ['data: {"choi'], "estimated"],
    ["text that is no event", ["data: bye\n\n", "good night"], "estimated"],
    ["an error", ['data: {"error":{"message":"too late"}}\n\n'], "estimated"],
    ["silence", [never], "estimated"],
    ["its usage and silence", [reported, never], "reported"],
    ["empty chunks and silence", [chunkEvent({}), ": wait\n\n", never], "estimated"],
  ])("%s", async (_what, rest, basis) => {
    for (const parts of [
      [...words, finish(), ...rest],
      [...words, lastWord, ...rest],
    ]) {
      provider.answerWith(() => streamChunks(parts));
      const text = await ask();
      expect(text).toStartWith(words.join(""));
      expect(count(text, "[DONE]")).toBe(1);
      expect(text).toEndWith(DONE);
      expect(count(text, '"usage"')).toBe(1);
      expect(text).not.toContain('"error"');
      expect(await readWithClients()).toEqual(
        parts.includes(lastWord)
          ? ["Hello there!", "Hello there! end_turn"]
          : ["Hello there", "Hello there end_turn"],
      );
    }
    expect(await bases(6)).toEqual(Array(6).fill(basis));
    expect(await outcomes(6)).toEqual(Array(6).fill("completed"));
    expect(await readHeld(gateway)).toBe("0.00");
  });

  test("a broken connection", async () => {
    const server = await serveBreaking("breaking", [...words, finish()].join(""));
    const fields = { model: "breaking", stream_options: { include_usage: true } };
    expect(await ask(fields)).toEndWith(DONE);
    expect(await readWithClients("breaking")).toEqual(["Hello there", "Hello there end_turn"]);
    expect(await outcomes(3)).toEqual(Array(3).fill("completed"));
    server.close();
  });

  test("and it is whole without silence if it comes in one piece", async () => {
    provider.answerWith(() => streamChunks([[...words, finish(), usageEvent(usage)].join(""), never]));
    expect(await ask()).toEndWith(DONE);
    await provider.visits[0]?.aborted;
    expect(await bases(1)).toEqual(["reported"]);
  });
});

describe("an answer without its finish reason is not whole", () => {
  test.each<[string, readonly string[]]>([
    ["no reason", words],
    ["a reason of null", [...words, finish(0, null)]],
    ["an empty reason", [...words, finish(0, "")]],
  ])("%s", async (_what, parts) => {
    provider.answerWith(() => streamChunks(parts));
    expect(await ask()).not.toContain("[DONE]");
    await untilNothingIsHeld(gateway);
    expect(await outcomes(1)).toEqual(["provider_failed"]);
  });

  test("of several choices each that began needs one", async () => {
    const choice = (index: number) =>
      `data: ${JSON.stringify({ id: "c1", choices: [{ index, delta: { content: "word" }, finish_reason: null }] })}\n\n`;
    const fields = { n: 3, stream_options: { include_usage: true } };
    provider.answerWith(() => streamChunks([choice(0), choice(1), choice(0), finish(1)]));
    expect(await ask(fields)).not.toContain("[DONE]");
    provider.answerWith(() => streamChunks([choice(0), choice(1), choice(0), finish(1), finish(0)]));
    expect(await ask(fields)).toEndWith(DONE);
    await untilNothingIsHeld(gateway);
    expect((await outcomes(2)).toSorted()).toEqual(["completed", "provider_failed"]);
  });
});

test("a chunk that is cut off ends the answer, since its words are lost", async () => {
  const broken = 'data: {"choices":[{"index":0,"delta":{"content":"lo\n\n';
  provider.answerWith(() => streamChunks([words.join(""), broken, ...words, finish(), DONE]));
  const text = await ask();
  expect(text).toStartWith(words.join(""));
  expect(text).not.toContain("[DONE]");
  expect(await bases(1)).toEqual(["estimated"]);
});

describe("what is no chunk is skipped, and is no failure", () => {
  test.each([
    ["a comment as data", "data: : keepalive\n\n"],
    ["a word", "data: ping\n\n"],
    ["null", "data: null\n\n"],
    ["a list", "data: []\n\n"],
    ["a number", "data: 12\n\n"],
    ["a choice that is no object", 'data: {"object":"chat.completion.chunk","choices":[null]}\n\n'],
    ["a text", 'data: "x"\n\n'],
    ["true", "data: true\n\n"],
    ["no data", "data:\n\n"],
    ["empty data", "data: \n\n"],
    ["a field without data", "event: ping\n\n"],
    ["a ping with a body", 'event: ping\ndata: {"type":"ping"}\n\n'],
    ["a body without choices", 'data: {"object":"status","state":"queued"}\n\n'],
    ["choices that are no list", 'data: {"id":"c1","choices":null}\n\n'],
    ["an id", "id: 1\n\n"],
    ["a time to retry", "retry: 3000\n\n"],
    ["text without a field", "keepalive\n\n"],
    ["an object that is cut off", 'data: {"type":"pi\n\n'],
    ["an object that is none", "data: {oops}\n\n"],
  ])("%s", async (_what, odd) => {
    provider.answerWith(() =>
      streamChunks([
        odd,
        words[0] ?? "",
        odd,
        words[1] ?? "",
        odd,
        finish(),
        odd,
        usageEvent(usage),
        odd,
        DONE,
      ]),
    );
    for (let calls = 0; calls < 3; calls++) expect(await ask({})).toBe(`${words.join("")}${finish()}${DONE}`);
    expect(await readWithClients()).toEqual(["Hello there", "Hello there end_turn"]);
    expect(await bases(5)).toEqual(Array(5).fill("reported"));
  });

  test("a long text that is no chunk", async () => {
    const odd = `data: ${"x".repeat(100_000)}\n\n`;
    provider.answerWith(() => streamChunks([odd, ...words, odd, finish(), DONE]));
    expect(await ask({})).toBe(`${words.join("")}${finish()}${DONE}`);
  });

  test("comments are passed on, since they keep connections open", async () => {
    provider.answerWith(() => streamChunks([": wait\n\n", ...words, finish(), DONE]));
    expect(await ask({})).toBe(`: wait\n\n${words.join("")}${finish()}${DONE}`);
  });

  test("a usage without choices is replaced by one that clients can read", async () => {
    provider.answerWith(() =>
      streamChunks([...words, finish(), `data: ${JSON.stringify({ usage })}\n\n`, DONE]),
    );
    const [shown] = /\{[^\n]*"usage"[^\n]*/.exec(await ask()) ?? ["{}"];
    expect(JSON.parse(shown)).toMatchObject({ choices: [], usage });
    expect(await bases(1)).toEqual(["reported"]);
  });

  test("but a stream without any chunk is a failure, and costs nothing", async () => {
    const before = await listCharges(gateway);
    for (const parts of [
      ["<html><title>Busy</title></html>\n\n"],
      ["data: ping\n\n"],
      ["data: ping\n\n", DONE],
      [DONE],
    ]) {
      provider.answerWith(() => streamChunks(parts));
      expect(await ask()).toContain("You were not charged for it");
      gateway.pass(120_000);
    }
    expect(await listCharges(gateway)).toEqual(before);
    expect(await readHeld(gateway)).toBe("0.00");
  });
});

test("a byte order mark is not passed on", async () => {
  const [first = "", ...others] = words;
  provider.answerWith(() => streamChunks([`\uFEFF${first}`, ...others, finish(), DONE]));
  expect(await ask({})).toBe(`${words.join("")}${finish()}${DONE}`);
  const bytes = Buffer.from(`\uFEFF${first}`);
  provider.answerWith(() =>
    streamChunks([bytes.subarray(0, 1), bytes.subarray(1, 2), bytes.subarray(2), ...others, finish(), DONE]),
  );
  expect(await ask({})).toBe(`${words.join("")}${finish()}${DONE}`);
  expect(await readWithClients()).toEqual(["Hello there", "Hello there end_turn"]);
});
