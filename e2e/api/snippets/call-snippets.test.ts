import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { CallBodies } from "@/lib/console/snippets/api-snippets";
import { callSnippets } from "@/lib/console/snippets/call-snippets";
import { type ChatEndpoint, chatEndpoints } from "@/lib/contract/access/key-scopes";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { type CallVariant, callVariants } from "../../support/operations/call-variants";
import { runSnippet } from "../../support/programs/run-snippet";
import { type Proxy, recordRequests } from "../../support/servers/record-requests";
import {
  chatCompletion,
  chunkEvent,
  DONE,
  type ScriptedProvider,
  scriptedConfiguration,
  startScriptedProvider,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";

let provider: ScriptedProvider;
let gateway: ServedGateway;
/** Between the programs and the gateway, so that the test sees what the programs sent. */
let proxy: Proxy;

beforeAll(async () => {
  provider = startScriptedProvider();
  provider.answerWith(({ body }) => answer(JSON.parse(body)));
  gateway = await serveGateway({ config: scriptedConfiguration(provider).replace("1000", "100000") });
  proxy = recordRequests(gateway.baseUrl);
});
beforeEach(() => proxy.forget());
afterAll(async () => {
  await proxy.stop();
  await gateway.close();
  await provider.stop();
});

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

type Asked = { stream?: boolean; tools?: { function: { name: string } }[]; response_format?: object };

/** The words "Hello there", JSON where it is asked for, or a call of the first tool. */
function answer({ stream, tools, response_format }: Asked) {
  const pieces = response_format ? ["12345", "67890"] : ["Hello ", "there"];
  const [tool] = tools ?? [];
  const call = tool && {
    id: "c9",
    type: "function",
    function: { name: tool.function.name, arguments: "{}" },
  };
  const finish_reason = call ? "tool_calls" : "stop";
  if (!stream) {
    const message = call ? { content: null, tool_calls: [call] } : pieces.join("");
    return Response.json(chatCompletion(message, usage, finish_reason));
  }
  const deltas = call ? [{ tool_calls: [{ index: 0, ...call }] }] : pieces.map((content) => ({ content }));
  const end = chunkEvent({}, { choices: [{ index: 0, delta: {}, finish_reason }] });
  return streamChunks([...deltas.map((delta) => chunkEvent(delta)), end, usageEvent(usage), DONE]);
}

/** Programs of responses stream in the first variants alone, and send no long texts: each takes seconds. */
const isTried = (endpoint: ChatEndpoint, variant: string, streams: boolean) =>
  endpoint !== "responses" ||
  (streams ? /^a (message|tool)/.test(variant) : variant !== "a long text and a long answer");

const programs = [
  ["curl", "chat_completions"],
  ["curl", "messages"],
  ["curl", "responses"],
  ["openai", "chat_completions"],
  ["openai", "responses"],
  ["python", "chat_completions"],
  ["python", "responses"],
  ["anthropic", "messages"],
  ["ai-sdk", "chat_completions"],
  ["ai-sdk", "responses"],
] as const;

const paths = { chat_completions: "chat/completions", messages: "messages", responses: "responses" };

function toBodies(
  { chat, message, response }: CallVariant,
  lacks: Partial<Record<ChatEndpoint, string[]>> = {},
) {
  const bodies = { chat_completions: chat, messages: message, responses: response };
  const entries = chatEndpoints.map((api) => [api, { body: bodies[api], lacks: lacks[api] ?? [] }]);
  return Object.fromEntries(entries) as CallBodies;
}

function writeCode(id: string, endpoint: ChatEndpoint, variant: CallVariant, streams: boolean) {
  const call = { baseUrl: proxy.baseUrl, endpoint, streams, bodies: toBodies(variant) };
  return callSnippets(call).find((snippet) => snippet.id === id)?.code ?? "";
}

describe.each(Object.entries(callVariants))("%s", (name, variant) => {
  describe.each([false, true])("streamed: %p", (streams) => {
    const tried = programs.filter(([, endpoint]) => isTried(endpoint, name, streams));
    test.each(tried)("as %s to %s", async (id, endpoint) => {
      const code = writeCode(id, endpoint, variant, streams);
      const printed = await runSnippet(id, code, gateway.key);
      expect(readPrintedText(printed)).toMatch(variant.prints ?? /Hello there/);
      const [sent] = proxy.requests;
      expect(sent?.path).toBe(`/v1/${paths[endpoint]}`);
      const { stream = false, ...body } = sent?.body ?? {};
      expect(stream).toBe(streams || (id === "anthropic" && body.max_tokens === 60_000));
      const given = toBodies(variant)[endpoint].body;
      expect(id === "ai-sdk" ? asGiven(body) : body).toEqual(given);
    });
  });
});

/** The text of what curl prints, whole or streamed, and of what others print. */
function readPrintedText(printed: string): string {
  const pieces = printed.matchAll(/"(?:content|text)":"([^"]*)"/g);
  return `${printed}\n${[...pieces].map(([, text]) => text).join("")}`;
}

/** The AI SDK sends the default choice of tools, asks for sealed reasoning, and writes each text as a part. */
function asGiven(sent: Record<string, unknown>): unknown {
  const { tool_choice: _, include: __, ...body } = sent;
  const { input } = body as { input?: { content?: Record<string, unknown>[] }[] };
  return input
    ? { ...body, input: input.map(({ content, ...item }) => ({ ...item, ...asContent(content) })) }
    : body;
}

function asContent(content: Record<string, unknown>[] | undefined): object {
  if (!content) return {};
  const [first, ...others] = content.map((part) =>
    part.type === "input_image" ? { detail: "auto", ...part } : part,
  );
  return { content: others.length === 0 && first && "text" in first ? first.text : [first, ...others] };
}

const hello = callVariants["a message"] as CallVariant;

test("no snippet holds a key", () => {
  for (const endpoint of chatEndpoints)
    for (const { code } of callSnippets({
      baseUrl: gateway.baseUrl,
      endpoint,
      streams: false,
      bodies: toBodies(hello),
    })) {
      expect(code).toContain("GATEHOUSE_API_KEY");
      expect(code).not.toContain("gk_");
    }
});

test("a snippet names the parameters that its API lacks", async () => {
  const lacks = { chat_completions: ["top_k"], messages: ["seed", "n"], responses: ["stop"] };
  const bodies = toBodies({ ...hello, response: { ...hello.response, top_logprobs: 2 } }, lacks);
  for (const [endpoint, chat] of [
    ["chat_completions", "A chat completion has no top_k."],
    ["responses", "The Responses API has no stop."],
  ] as const) {
    const snippets = callSnippets({ baseUrl: proxy.baseUrl, endpoint, streams: false, bodies });
    const codeFor = (id: string) => snippets.find((snippet) => snippet.id === id)?.code ?? "";
    expect(codeFor("anthropic")).toContain("// The Messages API has no seed, n.");
    expect(codeFor("python")).toContain(`# ${chat}`);
    expect(codeFor("openai")).toContain(`// ${chat}`);
    if (endpoint === "responses") expect(codeFor("ai-sdk")).toContain("has no stop, top_logprobs.");
    for (const id of ["openai", "python", "anthropic", "ai-sdk"])
      expect(await runSnippet(id, codeFor(id), gateway.key)).toContain("Hello there");
  }
});

test("the choice beside the code decides about `stream`, even where it is typed among further parameters", async () => {
  const typed = {
    chat: { ...hello.chat, stream: true },
    message: { ...hello.message, stream: true },
    response: { ...hello.response, stream: true },
  };
  for (const id of ["openai", "anthropic", "ai-sdk"])
    for (const endpoint of ["chat_completions", "responses"] as const)
      expect(await runSnippet(id, writeCode(id, endpoint, typed, false), gateway.key)).toContain(
        "Hello there",
      );
  expect(proxy.requests.map(({ body }) => body.stream ?? false)).toEqual(Array(6).fill(false));
});
