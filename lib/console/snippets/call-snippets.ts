import type { ChatEndpoint } from "@/lib/contract/access/key-scopes";
import { aiSdkResponseSnippet, aiSdkSnippet } from "./ai-sdk-snippet";
import {
  type CallBodies,
  type CallBody,
  callLiteral,
  commentOn,
  quoteForShell,
  type SnippetCall,
  toPython,
} from "./api-snippets";

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

// Safe for the browser.

/** A chat completion with OpenAI's library for TypeScript. */
function openaiSnippet(call: SnippetCall): string {
  const { body, streams } = call;
  const { tools } = body;
  const whole = tools
    ? "console.log(JSON.stringify(completion.choices[0].message, null, 2));"
    : "console.log(completion.choices[0].message.content);";
  const piece = tools
    ? "console.log(JSON.stringify(chunk.choices[0]?.delta));"
    : 'process.stdout.write(chunk.choices[0]?.delta?.content ?? "");';
  return `${openClient(call)}${commentOn(call, "A chat completion")}const ${streams ? "stream" : "completion"} = await ${callLiteral("client.chat.completions.create", body)}
${streams ? `for await (const chunk of stream) {\n  ${piece}\n}` : whole}`;
}

/** A response with the same library. */
function openaiResponseSnippet(call: SnippetCall): string {
  const { body, streams } = call;
  const { tools } = body;
  const whole = tools
    ? "console.log(JSON.stringify(response.output, null, 2));"
    : "console.log(response.output_text);";
  const piece = tools
    ? 'if (event.type === "response.output_item.done") console.log(JSON.stringify(event.item));'
    : 'if (event.type === "response.output_text.delta") process.stdout.write(event.delta);';
  return `${openClient(call)}${commentOn(call, "The Responses API")}const ${streams ? "stream" : "response"} = await ${callLiteral("client.responses.create", body)}
${streams ? `for await (const event of stream) {\n  ${piece}\n}` : whole}`;
}

function openClient({ baseUrl }: SnippetCall): string {
  return `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: ${JSON.stringify(baseUrl)},
  apiKey: process.env.GATEHOUSE_API_KEY,
});

`;
}

/** Parameters that OpenAI's library for Python knows by name. It refuses others, which go into `extra_body`. */
const shared =
  "model temperature top_p tools tool_choice parallel_tool_calls stream stream_options user top_logprobs metadata store service_tier".split(
    " ",
  );
const chatFields = new Set([
  ...shared,
  ..."messages n max_tokens max_completion_tokens stop seed presence_penalty frequency_penalty logit_bias logprobs reasoning_effort response_format".split(
    " ",
  ),
]);
const responseFields = new Set([
  ...shared,
  ..."input instructions max_output_tokens max_tool_calls reasoning text include truncation previous_response_id".split(
    " ",
  ),
]);

/** A chat completion with OpenAI's library for Python. */
function openaiPythonSnippet(call: SnippetCall): string {
  const { body, streams } = call;
  const { tools } = body;
  const piece = tools
    ? "print(chunk.choices[0].delta)"
    : 'print(chunk.choices[0].delta.content or "", end="", flush=True)';
  return `${openPythonClient(call)}${commentOn(call, "A chat completion", "#")}${streams ? "stream" : "completion"} = client.chat.completions.create(
${pythonParameters(body, chatFields)})
${streams ? `for chunk in stream:\n    if chunk.choices:\n        ${piece}` : `print(completion.choices[0].message${tools ? "" : ".content"})`}`;
}

/** A response with the same library. */
function pythonResponseSnippet(call: SnippetCall): string {
  const { body, streams } = call;
  const { tools } = body;
  const [type, piece] = tools
    ? ["response.output_item.done", "print(event.item)"]
    : ["response.output_text.delta", 'print(event.delta, end="", flush=True)'];
  return `${openPythonClient(call)}${commentOn(call, "The Responses API", "#")}${streams ? "stream" : "response"} = client.responses.create(
${pythonParameters(body, responseFields)})
${streams ? `for event in stream:\n    if event.type == "${type}":\n        ${piece}` : `print(response.${tools ? "output" : "output_text"})`}`;
}

function openPythonClient({ baseUrl }: SnippetCall): string {
  return `import os
from openai import OpenAI

client = OpenAI(
    base_url=${JSON.stringify(baseUrl)},
    api_key=os.environ["GATEHOUSE_API_KEY"],
)

`;
}

function pythonParameters(body: SnippetCall["body"], known: ReadonlySet<string>): string {
  const fields = Object.entries(body).filter(([name]) => known.has(name));
  const extraFields = Object.entries(body).filter(([name]) => !known.has(name));
  const allFields =
    extraFields.length > 0 ? [...fields, ["extra_body", Object.fromEntries(extraFields)] as const] : fields;
  return allFields.map(([name, value]) => `    ${name}=${toPython(value, "    ")},\n`).join("");
}
