import { findChatFault, type OpenaiDialect, type RequestFault, signCall } from "./openai-request-faults";

type Fields = Record<string, unknown>;

/** A chat as the gateway sent it. */
interface OpenaiVisit {
  readonly headers: Headers;
  /** The body as it came. */
  readonly text: string;
  readonly body: Fields & { readonly messages: readonly Fields[] };
  /** Resolves when the gateway closes the connection. */
  readonly aborted: Promise<void>;
}

/** What a stand-in answers: the message of a completion, with its finish reason and usage, or a whole `Response`. */
export interface OpenaiAnswer {
  readonly message: Fields;
  readonly finish_reason?: string;
  readonly usage?: Fields;
  readonly service_tier?: string;
}
type OpenaiScript = (visit: OpenaiVisit) => OpenaiAnswer | Response | Promise<OpenaiAnswer | Response>;

export type OpenaiServer = ReturnType<typeof startOpenaiServer>;

/**
 * A stand-in of OpenAI's chat completions that refuses what the real one refuses, or of Gemini's dialect of them. A
 * script answers with a message, which is sent whole or as a stream, as it was asked for.
 */
export function startOpenaiServer(dialect: OpenaiDialect = "usual") {
  const visits: OpenaiVisit[] = [];
  let script: OpenaiScript = () => ({ message: { content: "Hello" } });
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/v1/models") return Response.json({ object: "list", data: [{ id: "gpt" }] });
      if (pathname !== "/v1/chat/completions")
        return refuse({ message: `Invalid URL (POST ${pathname})` }, 404, dialect);
      const aborted = new Promise<void>((resolve) =>
        request.signal.addEventListener("abort", () => resolve()),
      );
      const text = await request.text();
      const visit = { headers: request.headers, text, body: JSON.parse(text), aborted } as OpenaiVisit;
      visits.push(visit);
      if (request.headers.get("authorization") !== `Bearer ${KEY}`)
        return refuse({ message: "Incorrect API key provided", code: "invalid_api_key" }, 401, dialect);
      const fault = findChatFault(visit.body, dialect);
      if (fault) return refuse(fault, 400, dialect);
      const answer = await script(visit);
      if (answer instanceof Response) return answer;
      const signed = dialect === "gemini" ? withSignatures(answer) : answer;
      if (visit.body.stream !== true) return Response.json(toCompletion(signed));
      const options = visit.body.stream_options as Fields | undefined;
      return new Response(writeStream(signed, dialect, options?.include_usage === true), {
        headers: { "content-type": "text/event-stream; charset=utf-8" },
      });
    },
  });
  return {
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    visits,
    answerWith(next: OpenaiScript) {
      script = next;
    },
    stop: () => server.stop(true),
  };
}

const KEY = "sk-upstream";

/** Gemini's errors are a list of one. */
function refuse({ message, param, code }: RequestFault, status: number, dialect: OpenaiDialect): Response {
  const body =
    dialect === "gemini"
      ? [{ error: { code: status, message, status: "INVALID_ARGUMENT" } }]
      : { error: { message, type: "invalid_request_error", param: param ?? null, code: code ?? null } };
  return Response.json(body, { status });
}

const usualUsage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const head = { id: "chatcmpl-1", created: 1_800_000_000, model: "gpt-2026" };

/** Gemini signs the first call of a message. */
function withSignatures(answer: OpenaiAnswer): OpenaiAnswer {
  const calls = answer.message.tool_calls as (Fields & { function: Fields })[] | undefined;
  if (!calls?.[0]) return answer;
  const thought_signature = signCall(String(calls[0].function.name));
  const first = { ...calls[0], extra_content: { google: { thought_signature } } };
  return { ...answer, message: { ...answer.message, tool_calls: [first, ...calls.slice(1)] } };
}

function toCompletion({
  message,
  finish_reason = "stop",
  usage = usualUsage,
  ...rest
}: OpenaiAnswer): Fields {
  const choice = {
    index: 0,
    message: { role: "assistant", content: null, refusal: null, annotations: [], ...message },
    logprobs: null,
    finish_reason,
  };
  return { ...head, object: "chat.completion", choices: [choice], usage, ...rest };
}

const halve = (text: string) => [text.slice(0, text.length / 2), text.slice(text.length / 2)].filter(Boolean);

/**
 * The chunks of a message, with each text in two pieces. Gemini tells each call whole, its usage in each chunk, and
 * `stop` for calls.
 */
function writeStream(answer: OpenaiAnswer, dialect: OpenaiDialect, isUsageAsked: boolean): string {
  const { message, usage = usualUsage, finish_reason = "stop", ...rest } = answer;
  const isGemini = dialect === "gemini";
  const { content, refusal, tool_calls, ...others } = message;
  const write = (fields: Fields) =>
    `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", ...fields, ...rest })}\n\n`;
  const chunk = (delta: Fields, reason: string | null = null) =>
    write({
      choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
      ...(isGemini ? { usage } : isUsageAsked && { usage: null }),
    });
  const pieces = (name: string, text: unknown) =>
    typeof text === "string" ? halve(text).map((piece) => ({ [name]: piece })) : [];
  const calls = ((tool_calls ?? []) as (Fields & { function: Fields })[]).flatMap((call, index) => {
    if (isGemini) return [{ tool_calls: [{ index, ...call }] }];
    const started = { index, ...call, function: { ...call.function, arguments: "" } };
    const filled = halve(String(call.function.arguments)).map((json) => ({
      index,
      function: { arguments: json },
    }));
    return [started, ...filled].map((piece) => ({ tool_calls: [piece] }));
  });
  const deltas = [
    { role: "assistant", content: "" },
    ...Object.entries(others).flatMap(([name, value]) =>
      typeof value === "string" ? pieces(name, value) : [{ [name]: value }],
    ),
    ...pieces("content", content),
    ...pieces("refusal", refusal),
    ...calls,
  ];
  const reason = isGemini && finish_reason === "tool_calls" ? "stop" : finish_reason;
  const last = isGemini || !isUsageAsked ? "" : write({ choices: [], usage });
  return `${deltas.map((delta) => chunk(delta)).join("")}${chunk({}, reason)}${last}data: [DONE]\n\n`;
}
