import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages";
import { findRequestFault } from "./anthropic-request-faults";

type Fields = Record<string, unknown>;

/** A message as the gateway sent it. */
type SentMessage = Pick<MessageCreateParams, "messages" | "max_tokens"> & Partial<MessageCreateParams>;

interface AnthropicVisit {
  readonly path: string;
  readonly headers: Headers;
  /** The body as it came. */
  readonly text: string;
  readonly body: SentMessage;
}

/** What a stand-in answers: a message's parts, a whole `Response`, or the number of a prompt's tokens. */
type AnthropicScript = (visit: AnthropicVisit) => Fields | Response | Promise<Fields | Response>;

export type AnthropicServer = ReturnType<typeof startAnthropicServer>;

const KEY = "sk-ant-upstream";

/**
 * A stand-in of Anthropic's API that refuses what the real one refuses. A script answers with the content, stop reason
 * and usage of a message, which is sent whole or as a stream, as it was asked for.
 */
export function startAnthropicServer() {
  const visits: AnthropicVisit[] = [];
  let script: AnthropicScript = () => ({ content: [{ type: "text", text: "Hello" }] });
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { pathname: path } = new URL(request.url);
      if (path === "/v1/models")
        return Response.json({ data: [{ type: "model", id: "claude-4" }], has_more: false });
      const text = await request.text();
      const visit = { path, headers: request.headers, text, body: JSON.parse(text) as SentMessage };
      visits.push(visit);
      const fault = findHeaderFault(request.headers);
      if (fault) return refuse(...fault);
      if (path === "/v1/messages/count_tokens") return Response.json({ input_tokens: 77 });
      if (path !== "/v1/messages") return refuse(404, "not_found_error", `Not found: ${path}`);
      const words = findRequestFault(JSON.parse(text));
      if (words) return refuse(400, "invalid_request_error", words);
      const answer = await script(visit);
      if (answer instanceof Response) return answer;
      const message = toMessage(visit.body, answer);
      const headers = { "request-id": "req_upstream" };
      if (visit.body.stream !== true) return Response.json(message, { headers });
      return new Response(writeStream(message), {
        headers: { ...headers, "content-type": "text/event-stream; charset=utf-8" },
      });
    },
  });
  return {
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    visits,
    answerWith(next: AnthropicScript) {
      script = next;
    },
    stop: () => server.stop(true),
  };
}

function findHeaderFault(headers: Headers): [number, string, string] | null {
  if (headers.get("x-api-key") !== KEY) return [401, "authentication_error", "invalid x-api-key"];
  if (!headers.get("anthropic-version"))
    return [400, "invalid_request_error", "anthropic-version: header is required"];
  return null;
}

function refuse(status: number, type: string, message: string): Response {
  return Response.json({ type: "error", error: { type, message }, request_id: "req_upstream" }, { status });
}

const usualUsage = {
  input_tokens: 10,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 5,
  service_tier: "standard",
};

function toMessage({ model }: Pick<SentMessage, "model">, answer: Fields): Fields {
  const { usage, ...fields } = answer;
  return {
    id: "msg_upstream",
    type: "message",
    role: "assistant",
    model,
    stop_reason: "end_turn",
    stop_sequence: null,
    ...fields,
    usage: { ...usualUsage, ...(usage as Fields | undefined) },
  };
}

export const writeAnthropicEvent = (type: string, fields: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

/** The events of a message, with each text in two pieces. */
function writeStream(message: Fields): string {
  const { content, stop_reason, stop_sequence, stop_details, usage, ...head } = message;
  const { output_tokens, output_tokens_details, ...prompt } = usage as Fields;
  const begun = { ...head, content: [], stop_reason: null, stop_sequence: null };
  const start = { message: { ...begun, usage: { ...prompt, output_tokens: 1 } } };
  const blocks = (content as Fields[]).map((block, index) => {
    const { empty, deltas } = splitBlock(block);
    const pieces = deltas.map((delta) => writeAnthropicEvent("content_block_delta", { index, delta }));
    const begin = writeAnthropicEvent("content_block_start", { index, content_block: empty });
    return begin + pieces.join("") + writeAnthropicEvent("content_block_stop", { index });
  });
  const delta = { stop_reason, stop_sequence, ...(stop_details !== undefined && { stop_details }) };
  return [
    writeAnthropicEvent("message_start", start),
    writeAnthropicEvent("ping", {}),
    ...blocks,
    writeAnthropicEvent("message_delta", { delta, usage: { output_tokens, output_tokens_details } }),
    writeAnthropicEvent("message_stop", {}),
  ].join("");
}

function splitBlock(block: Fields): { empty: Fields; deltas: Fields[] } {
  const halve = (text: string) => [text.slice(0, text.length / 2), text.slice(text.length / 2)];
  switch (block.type) {
    case "text":
      return {
        empty: { ...block, text: "" },
        deltas: halve(String(block.text)).map((text) => ({ type: "text_delta", text })),
      };
    case "thinking": {
      const pieces = halve(String(block.thinking)).map((thinking) => ({ type: "thinking_delta", thinking }));
      const signature = { type: "signature_delta", signature: block.signature };
      return { empty: { ...block, thinking: "", signature: "" }, deltas: [...pieces, signature] };
    }
    case "tool_use":
    case "server_tool_use": {
      const deltas = halve(JSON.stringify(block.input)).map((partial_json) => ({
        type: "input_json_delta",
        partial_json,
      }));
      return { empty: { ...block, input: {} }, deltas };
    }
    default:
      return { empty: block, deltas: [] };
  }
}

/**
 * A configuration file with the model `claude` at 1.00 in and 2.00 out per million, which the stand-in calls
 * `claude-4`. `more` are further fields of the provider.
 */
export function anthropicConfiguration(
  { baseUrl }: Pick<AnthropicServer, "baseUrl">,
  more: Readonly<Record<string, unknown>> = {},
): string {
  const provider = {
    id: "anthropic",
    kind: "openai",
    preset: "anthropic",
    base_url: baseUrl,
    api_key: KEY,
    circuit: false,
  };
  return `
providers:
  - ${JSON.stringify({ ...provider, ...more })}
models:
  - id: claude
    family: chat
    rate: "1"
    price: { input_per_1m: "1.00", output_per_1m: "2.00" }
    max_output_tokens: 8000
    routes: [{ provider: anthropic, model: claude-4 }]
`;
}
