type Fields = Record<string, unknown>;

/** A request as the gateway sent it. */
interface ResponsesVisit {
  readonly headers: Headers;
  /** The body as it came. */
  readonly text: string;
  readonly body: Fields;
}

/** What a stand-in answers: the items of a response with what it ends with, or a whole `Response`. */
type ResponsesScript = (visit: ResponsesVisit) => Fields | Response;

export type ResponsesServer = ReturnType<typeof startResponsesServer>;

const KEYS = ["sk-upstream", "sk-other-account"];

/** All fields of a request, by the reference of OpenAI's Responses API. */
const knownFields = new Set(
  "model input instructions stream stream_options store previous_response_id conversation background prompt include max_output_tokens max_tool_calls tools tool_choice parallel_tool_calls text reasoning truncation metadata client_metadata user safety_identifier prompt_cache_key prompt_cache_retention service_tier top_logprobs temperature top_p context_management moderation".split(
    " ",
  ),
);
/** Ids of items as the gateway makes them, which no other server can know. */
const FOREIGN_ID = /"id":"[a-z]+_[0-9a-z]{26}_\d+"/;

/** Why OpenAI's API would refuse a request with 400; null where it would take it. */
function findFault(text: string, body: Fields): string | null {
  const unknown = Object.keys(body).find((name) => !knownFields.has(name));
  if (unknown) return `Unknown parameter: '${unknown}'.`;
  if (body.input === undefined && body.previous_response_id === undefined)
    return "Missing required parameter: 'input'.";
  if (body.previous_response_id !== undefined) return "Previous response with id not found.";
  if (Number(body.max_output_tokens ?? 16) < 16)
    return "Invalid 'max_output_tokens': integer below minimum value.";
  if (FOREIGN_ID.test(text)) return "Item with that id not found.";
  if (/gh[12]_/.test(text)) return "The encrypted content could not be verified.";
  return null;
}

/**
 * A stand-in of OpenAI's Responses API that refuses what the real one refuses. A script answers with the items of a
 * response, which are sent whole or as a stream, as it was asked for.
 */
export function startResponsesServer() {
  const visits: ResponsesVisit[] = [];
  let script: ResponsesScript = () => ({ output: [] });
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/v1/models") return Response.json({ object: "list", data: [{ id: "gpt" }] });
      if (pathname !== "/v1/responses") return refuse(404, `Invalid URL (POST ${pathname})`);
      const text = await request.text();
      const visit = { headers: request.headers, text, body: JSON.parse(text) as Fields };
      visits.push(visit);
      const key = request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "";
      if (!KEYS.includes(key)) return refuse(401, "Incorrect API key");
      const fault = findFault(text, visit.body);
      if (fault) return refuse(400, fault);
      const answer = script(visit);
      if (answer instanceof Response) return answer;
      const response = toResponse(visit.body, answer);
      if (visit.body.stream !== true) return Response.json(response);
      return new Response(writeResponsesStream(response), {
        headers: { "content-type": "text/event-stream; charset=utf-8" },
      });
    },
  });
  return {
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    visits,
    answerWith(next: ResponsesScript) {
      script = next;
    },
    stop: () => server.stop(true),
  };
}

function refuse(status: number, message: string): Response {
  return Response.json({ error: { message, type: "invalid_request_error", param: null } }, { status });
}

const usualUsage = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 15,
};

function toResponse(request: Fields, answer: Fields): Fields {
  const { instructions = null, store = true, tools = [], tool_choice = "auto" } = request;
  return {
    ...unasked,
    id: "resp_upstream",
    created_at: 1_800_000_000,
    completed_at: 1_800_000_001,
    status: "completed",
    instructions,
    store,
    tools: (tools as Fields[]).map((tool) => (tool.type === "function" ? { strict: true, ...tool } : tool)),
    tool_choice,
    model: "gpt-2026",
    usage: usualUsage,
    ...answer,
  };
}

/** What a response says of what its request leaves out. */
const unasked = {
  object: "response",
  background: false,
  error: null,
  frequency_penalty: 0,
  incomplete_details: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  presence_penalty: 0,
  previous_response_id: null,
  prompt: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: "default",
  temperature: 1,
  text: { format: { type: "text" } },
  top_logprobs: 0,
  top_p: 1,
  truncation: "disabled",
};

/** The events of a response, with each text in two pieces. The real service sends no `[DONE]`. */
export function writeResponsesStream(response: Fields): string {
  let sequence_number = 0;
  const write = (type: string, fields: Fields) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence_number++, ...fields })}\n\n`;
  const begun = { ...response, status: "in_progress", output: [], usage: null };
  const start =
    write("response.created", { response: begun }) + write("response.in_progress", { response: begun });
  const items = (response.output as Fields[]).map((item, output_index) => {
    const place = { item_id: item.id, output_index };
    const isCall = item.type === "function_call";
    const empty = { ...item, ...(isCall ? { arguments: "" } : { content: [] }) };
    const added = write("response.output_item.added", { output_index, item: empty });
    const called = isCall
      ? write("response.function_call_arguments.delta", { ...place, delta: item.arguments }) +
        write("response.function_call_arguments.done", { ...place, arguments: item.arguments })
      : "";
    const told = ((item.content ?? []) as Fields[]).map((part, content_index) => {
      const text = String(part.text);
      const at = { ...place, content_index };
      return [
        write("response.content_part.added", { ...at, part: { ...part, text: "" } }),
        ...[text.slice(0, text.length / 2), text.slice(text.length / 2)].map((delta) =>
          write("response.output_text.delta", { ...at, delta, logprobs: [], obfuscation: "x" }),
        ),
        write("response.output_text.done", { ...at, text, logprobs: [] }),
        write("response.content_part.done", { ...at, part }),
      ].join("");
    });
    return added + called + told.join("") + write("response.output_item.done", { output_index, item });
  });
  return start + items.join("") + write(`response.${response.status}`, { response });
}
