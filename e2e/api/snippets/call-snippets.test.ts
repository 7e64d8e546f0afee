import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { callSnippets } from "@/lib/console/snippets/call-snippets";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { asked, type CallVariant, callVariants, said } from "../../support/operations/call-variants";
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

/** The words "Hello there", or a call of the first tool. */
function answer({ stream, tools }: { stream?: boolean; tools?: { function: { name: string } }[] }) {
  const [tool] = tools ?? [];
  const call = tool && {
    id: "c9",
    type: "function",
    function: { name: tool.function.name, arguments: "{}" },
  };
  const finish_reason = call ? "tool_calls" : "stop";
  if (!stream) {
    const message = call ? { content: null, tool_calls: [call] } : "Hello there";
    return Response.json(chatCompletion(message, usage, finish_reason));
  }
  const deltas = call
    ? [{ tool_calls: [{ index: 0, ...call }] }]
    : [{ content: "Hello " }, { content: "there" }];
  const end = chunkEvent({}, { choices: [{ index: 0, delta: {}, finish_reason }] });
  return streamChunks([...deltas.map((delta) => chunkEvent(delta)), end, usageEvent(usage), DONE]);
}

const programs = [
  ["curl", "chat_completions"],
  ["curl", "messages"],
  ["openai", "chat_completions"],
  ["python", "chat_completions"],
  ["anthropic", "messages"],
  ["ai-sdk", "chat_completions"],
] as const;

function writeCode(
  id: string,
  endpoint: "chat_completions" | "messages",
  variant: CallVariant,
  streams: boolean,
) {
  const call = { baseUrl: proxy.baseUrl, endpoint, streams, chatLacks: [], messageLacks: [] };
  return callSnippets({ ...call, ...variant }).find((snippet) => snippet.id === id)?.code ?? "";
}

describe.each(Object.entries(callVariants))("%s", (_, variant) => {
  describe.each([false, true])("streamed: %p", (streams) => {
    test.each(programs)("as %s to %s", async (id, endpoint) => {
      const code = writeCode(id, endpoint, variant, streams);
      const printed = await runSnippet(id, code, gateway.key);
      expect(readPrintedText(printed)).toMatch(variant.prints ?? /Hello there/);
      const [sent] = proxy.requests;
      const path = endpoint === "messages" ? "messages" : "chat/completions";
      expect(sent?.path).toBe(`/v1/${path}`);
      const { stream = false, ...body } = sent?.body ?? {};
      expect(stream).toBe(streams || (id === "anthropic" && body.max_tokens === 60_000));
      expect(id === "ai-sdk" ? asGiven(body) : body).toEqual(
        endpoint === "messages" ? variant.message : variant.chat,
      );
    });
  });
});

/** The text of what curl prints, whole or streamed, and of what others print. */
function readPrintedText(printed: string): string {
  const pieces = printed.matchAll(/"(?:content|text)":"([^"]*)"/g);
  return `${printed}\n${[...pieces].map(([, text]) => text).join("")}`;
}

/** The AI SDK sends the default choice of tools, which is left out elsewhere. */
function asGiven(body: Record<string, unknown>): unknown {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== "tool_choice"));
}

test("no snippet holds a key", () => {
  for (const { code } of callSnippets({
    baseUrl: gateway.baseUrl,
    endpoint: "messages",
    streams: false,
    chat: asked,
    message: said,
    chatLacks: [],
    messageLacks: [],
  })) {
    expect(code).toContain("GATEHOUSE_API_KEY");
    expect(code).not.toContain("gk_");
  }
});

test("a snippet names the parameters that its API lacks", async () => {
  const call = { baseUrl: proxy.baseUrl, endpoint: "chat_completions" as const, chat: asked, message: said };
  const snippets = callSnippets({
    ...call,
    streams: false,
    chatLacks: ["top_k"],
    messageLacks: ["seed", "n"],
  });
  const codeFor = (id: string) => snippets.find((snippet) => snippet.id === id)?.code ?? "";
  expect(codeFor("anthropic")).toContain("// The Messages API has no seed, n.");
  expect(codeFor("python")).toContain("# A chat completion has no top_k.");
  for (const id of ["openai", "python", "anthropic", "ai-sdk"])
    expect(await runSnippet(id, codeFor(id), gateway.key)).toContain("Hello there");
});

test("the choice beside the code decides about `stream`, even where it is typed among further parameters", async () => {
  const typed = { chat: { ...asked, stream: true }, message: { ...said, stream: true } };
  for (const id of ["openai", "anthropic", "ai-sdk"])
    expect(await runSnippet(id, writeCode(id, "chat_completions", typed, false), gateway.key)).toContain(
      "Hello there",
    );
  expect(proxy.requests.map(({ body }) => body.stream ?? false)).toEqual([false, false, false]);
});
