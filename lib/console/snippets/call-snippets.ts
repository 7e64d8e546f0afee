import type { ChatEndpoint } from "@/lib/contract/access/key-scopes";
import { aiSdkResponseSnippet, aiSdkSnippet } from "./ai-sdk-snippet";
import { callLiteral, quoteForShell } from "./api-snippets";
import {
  openaiPythonSnippet,
  openaiResponseSnippet,
  openaiSnippet,
  pythonResponseSnippet,
} from "./openai-snippets";
import { type CallBodies, type CallBody, commentOn, type SnippetCall } from "./snippet-call";

// Safe for the browser.

interface Call {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly endpoint: ChatEndpoint;
  readonly bodies: CallBodies;
  /** True for programs that print the answer as it streams. */
  readonly streams: boolean;
}

/** Complete programs that make exactly this call. The key is read from the environment. */
export function callSnippets({ baseUrl, endpoint, streams, bodies }: Call) {
  const prepare = (api: ChatEndpoint): SnippetCall => {
    const { body, lacks } = bodies[api];
    return { baseUrl, streams, body: withStream(body, streams), lacks };
  };
  const path = { chat_completions: "chat/completions", messages: "messages", responses: "responses" }[
    endpoint
  ];
  const chat = prepare("chat_completions");
  const response = prepare("responses");
  const isResponse = endpoint === "responses";
  return [
    { id: "curl", label: "curl", code: curl(prepare(endpoint), path) },
    {
      id: "openai",
      label: "openai",
      code: isResponse ? openaiResponseSnippet(response) : openaiSnippet(chat),
    },
    {
      id: "python",
      label: "openai, Python",
      code: isResponse ? pythonResponseSnippet(response) : openaiPythonSnippet(chat),
    },
    { id: "anthropic", label: "@anthropic-ai/sdk", code: anthropicSnippet(prepare("messages")) },
    {
      id: "ai-sdk",
      label: "AI SDK",
      code: isResponse ? aiSdkResponseSnippet(response, chat.body) : aiSdkSnippet(chat),
    },
  ];
}

/** `stream` may also be among the further parameters; the choice beside the code decides. */
function withStream(body: CallBody["body"], streams: boolean): CallBody["body"] {
  const { stream: _, stream_options, ...rest } = body;
  if (!streams) return rest;
  return { ...rest, stream: true, ...(stream_options !== undefined && { stream_options }) };
}

/** Linux refuses a longer word of a command: https://man7.org/linux/man-pages/man2/execve.2.html (MAX_ARG_STRLEN). */
const MAX_WORD_BYTES = 131_071;

function curl({ baseUrl, body, streams }: SnippetCall, path: string): string {
  const json = JSON.stringify(body, null, 2);
  const word = quoteForShell(json);
  const isLong = new TextEncoder().encode(word).length > MAX_WORD_BYTES;
  return [
    `curl${streams ? " -N" : ""} ${quoteForShell(`${baseUrl}/${path}`)} \\`,
    `  -H "Authorization: Bearer $GATEHOUSE_API_KEY" \\`,
    ...(path === "messages" ? [`  -H "anthropic-version: 2023-06-01" \\`] : []),
    `  -H "Content-Type: application/json" \\`,
    isLong ? `  -d @- <<'JSON'\n${json}\nJSON` : `  -d ${word}`,
  ].join("\n");
}

// Safe for the browser.

/** Above this, the library refuses a call that isn't streamed: it could take more than ten minutes. */
const MAX_WHOLE_TOKENS = 21_333;

/** A message with Anthropic's library for TypeScript. */
function anthropicSnippet(call: SnippetCall): string {
  const { baseUrl, body, streams } = call;
  const isLong = typeof body.max_tokens === "number" && body.max_tokens > MAX_WHOLE_TOKENS;
  const { stream: _, ...parameters } = body;
  const stream = callLiteral("client.messages.stream", parameters);
  return `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({
  baseURL: ${JSON.stringify(baseUrl.replace(/\/v1$/, ""))},
  apiKey: process.env.GATEHOUSE_API_KEY,
});

${commentOn(call, "The Messages API")}${streams ? printPieces(stream, parameters) : printWhole(isLong ? stream : null, parameters)}`;
}

function printPieces(stream: string, parameters: SnippetCall["body"]): string {
  return `const stream = ${stream}
stream.on("text", (text) => process.stdout.write(text));
const message = await stream.finalMessage();
${parameters.tools ? printContent(parameters) : "console.log(message.stop_reason);"}`;
}

function printWhole(stream: string | null, parameters: SnippetCall["body"]): string {
  if (stream === null)
    return `const message = await ${callLiteral("client.messages.create", parameters)}
${printContent(parameters)}`;
  return `// The library takes answers of this length only as a stream.
const stream = ${stream}
const message = await stream.finalMessage();
${printContent(parameters)}`;
}

/** Node.js prints nested objects, such as the input of a tool, as "[Object]". */
function printContent({ tools }: SnippetCall["body"]): string {
  return tools ? "console.log(JSON.stringify(message.content, null, 2));" : "console.log(message.content);";
}
