import type { ChatEndpoint } from "../streaming/stream-chat";
import { aiSdkSnippet } from "./ai-sdk-snippet";
import { anthropicSnippet } from "./anthropic-snippet";
import { quoteForShell } from "./api-snippets";
import { openaiPythonSnippet, openaiSnippet } from "./openai-snippets";
import type { SnippetCall } from "./snippet-call";

// Safe for the browser.

interface Call {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly endpoint: ChatEndpoint;
  /** The same call as a body of each endpoint. */
  readonly chat: object;
  readonly message: object;
  /** Parameters of the call that a chat completion, or a message, doesn't have. */
  readonly chatLacks: readonly string[];
  readonly messageLacks: readonly string[];
  /** True for programs that print the answer as it streams. */
  readonly streams: boolean;
}

/** Complete programs that make exactly this call. The key is read from the environment. */
export function callSnippets({ baseUrl, endpoint, streams, ...call }: Call) {
  const completion = { baseUrl, streams, body: withStream(call.chat, streams), lacks: call.chatLacks };
  const message = { baseUrl, streams, body: withStream(call.message, streams), lacks: call.messageLacks };
  return [
    {
      id: "curl",
      label: "curl",
      code: endpoint === "messages" ? curl(message, "messages") : curl(completion, "chat/completions"),
    },
    { id: "openai", label: "openai", code: openaiSnippet(completion) },
    { id: "python", label: "openai, Python", code: openaiPythonSnippet(completion) },
    { id: "anthropic", label: "@anthropic-ai/sdk", code: anthropicSnippet(message) },
    { id: "ai-sdk", label: "AI SDK", code: aiSdkSnippet(completion) },
  ];
}

/** `stream` may also be among the further parameters; the choice beside the code decides. */
function withStream(body: object, streams: boolean): Record<string, unknown> {
  const { stream: _, stream_options, ...rest } = body as Record<string, unknown>;
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
