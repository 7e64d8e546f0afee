import { listAnswerWords, type ProviderScript, writeScriptMessages } from "../provider/provider-script";

/** A client's request. */
export interface ClientCall {
  readonly keyId: string;
  readonly model: string;
  readonly isStream: boolean;
  readonly script: ProviderScript;
  readonly wantsUsage?: boolean;
  /** Whether it uses the Messages API, as Anthropic's clients do. */
  readonly isMessage?: boolean;
  /** Whether it uses the Responses API. */
  readonly isResponse?: boolean;
  readonly maxTokens?: number;
  readonly idempotencyKey?: string;
  /** Needed where the caller belongs to more than one project. */
  readonly projectId?: string;
  /** Further fields of the request, and `parts` for further parts of its last message. */
  readonly more?: Readonly<Record<string, unknown>>;
  readonly parts?: readonly object[];
}

/** What a client received: the first of the three books. */
export interface Received extends ClientCall {
  /** Null where no headers arrived. */
  readonly requestId: string | null;
  readonly status: number | null;
  readonly headers: Headers | null;
  /** Whether every word and the end of the reply arrived. */
  readonly isComplete: boolean;
  /** Whether a 200 looks complete, but some words are missing or wrong. */
  readonly isMangled: boolean;
  readonly text: string;
  readonly elapsedMs: number;
}

export interface CallOptions {
  readonly baseUrl: string;
  readonly key: string;
  readonly signal?: AbortSignal;
  readonly onChunk?: (text: string) => void;
}

const MESSAGE_MAX_TOKENS = 100;

export function requestBody(call: ClientCall): string {
  const { model, isStream, script, wantsUsage, isMessage, isResponse, ...rest } = call;
  const messages = writeScriptMessages(script).map(({ role, content }) =>
    rest.parts ? { role, content: [{ type: "text", text: content }, ...rest.parts] } : { role, content },
  );
  const maxTokens = rest.maxTokens ?? (isMessage && MESSAGE_MAX_TOKENS);
  return JSON.stringify({
    model,
    [isResponse ? "input" : "messages"]: messages,
    stream: isStream,
    ...(isStream && wantsUsage && !isResponse && { stream_options: { include_usage: true } }),
    ...(maxTokens && { [isResponse ? "max_output_tokens" : "max_tokens"]: maxTokens }),
    ...rest.more,
  });
}

export function findPath({ isMessage, isResponse }: ClientCall): string {
  if (isResponse) return "/responses";
  return isMessage ? "/messages" : "/chat/completions";
}

/** Calls the gateway and keeps everything that arrives, however the call ends. */
export async function callGateway(asked: ClientCall, options: CallOptions): Promise<Received> {
  const { baseUrl, key, signal, onChunk } = options;
  const startedAt = performance.now();
  let reply: Response | null = null;
  let text = "";
  let isEnded = false;
  try {
    reply = await fetch(`${baseUrl}${findPath(asked)}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        ...(asked.idempotencyKey && { "idempotency-key": asked.idempotencyKey }),
        ...(asked.projectId && { "openai-project": asked.projectId }),
        ...(asked.isMessage && { "anthropic-version": "2023-06-01" }),
      },
      body: requestBody(asked),
      // One connection per call: a client may resend a request by itself if a reused connection turns out to be dead.
      keepalive: false,
      ...(signal && { signal }),
    });
    const decoder = new TextDecoder();
    for await (const chunk of reply.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      onChunk?.(text);
    }
    isEnded = true;
  } catch {
    // The connection broke or this client left: it keeps what has arrived.
  }
  return interpretReply(asked, {
    status: reply?.status ?? null,
    headers: reply?.headers ?? null,
    text,
    isEnded,
    elapsedMs: performance.now() - startedAt,
  });
}

/** Interprets a reply as a client would. */
export function interpretReply(
  asked: ClientCall,
  reply: {
    status: number | null;
    headers: Headers | null;
    text: string;
    isEnded: boolean;
    elapsedMs: number;
  },
): Received {
  const { status, headers, text, isEnded, elapsedMs } = reply;
  const saysComplete = status === 200 && isEnded && hasEnd(asked, text);
  const isWhole = extractContent(asked, text) === listAnswerWords(asked.script).join("");
  return {
    ...asked,
    requestId: headers?.get("x-request-id") ?? null,
    status,
    headers,
    isComplete: saysComplete && isWhole,
    isMangled: saysComplete && !isWhole,
    text,
    elapsedMs,
  };
}

function hasEnd({ isStream, isMessage, isResponse }: ClientCall, text: string): boolean {
  if (!isStream) return text.endsWith("}");
  if (isResponse && !text.includes("event: response.completed\n")) return false;
  return isMessage ? text.includes("event: message_stop\n") : text.endsWith("data: [DONE]\n\n");
}

/** The model's text, from any of the APIs; null where it can't be parsed. */
function extractContent({ isStream }: ClientCall, text: string): string | null {
  try {
    if (isStream) return listStreamedTexts(text).join("");
    const { choices, content, output } = JSON.parse(text);
    if (output)
      return output
        .flatMap((item: { content: object }) => item.content)
        .map(readText)
        .join("");
    return choices?.[0].message.content ?? content.map(readText).join("");
  } catch {
    return null;
  }
}

const readText = ({ text }: { text: string }) => text;

/**
 * The texts of a stream's events, one by one.
 * @throws SyntaxError
 */
export function listStreamedTexts(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice("data: ".length)))
    .map(({ choices, delta }) => {
      if (typeof delta === "string") return delta;
      return choices?.[0]?.delta?.content ?? delta?.text ?? "";
    })
    .filter(Boolean);
}

/** The code of the error that a reply consists of, or ends with; null without one. */
export function findErrorCode({ text }: Received): string | null {
  const [error] = /\{"error".*/.exec(text) ?? [];
  return error ? JSON.parse(error).error.code : null;
}
