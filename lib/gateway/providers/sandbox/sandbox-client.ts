import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import type { SpeechRequest } from "@/lib/contract/operations/calls/audio";
import type { ChatCompletionRequest, ChatMessage } from "@/lib/contract/operations/calls/completions";
import type { EmbeddingRequest } from "@/lib/contract/operations/calls/embeddings";
import type { ModerationRequest } from "@/lib/contract/operations/calls/moderations";
import { type Clock, toUnixSeconds } from "../../clock";
import { isStreamed, RespondedRequest } from "../../http/outbound/server-reply";
import type { AnsweringClient, ProviderRequest } from "../provider-client";
import { findLastUserText } from "../read-message-text";
import { countEmbeddedNumbers, countPromptWords, embed, MAX_NUMBERS, splitWords } from "./embed-text";
import { findSpeechType, speak, speakAsEvents, transcribe } from "./speech";

const SLOW_MS = 100;

/**
 * The offline stand-in for a provider: deterministic, no AI, and labeled as such in every reply. Counts one token per
 * word. Embeddings and moderations are computed from words, speech from characters, and transcripts from a recording's
 * duration and bytes.
 */
export function createSandboxClient({
  clock,
  wait = waitFor,
}: {
  clock: Clock;
  wait?: Wait;
}): AnsweringClient {
  const complete = async (call: ProviderRequest, signal: AbortSignal): Promise<Response> => {
    signal.throwIfAborted();
    if (isStreamed(call.body)) return transcribe(call.body);
    if (typeof call.body !== "string")
      return refuse(400, "The sandbox reads short requests only. Send less.");
    if (call.endpoint === "embeddings") {
      const embedding = JSON.parse(call.body) as EmbeddingRequest;
      if (countEmbeddedNumbers(embedding) > MAX_NUMBERS)
        return refuse(400, `The sandbox makes at most ${MAX_NUMBERS} numbers at once. Send fewer texts.`);
      return Response.json(embed(embedding));
    }
    if (call.endpoint === "moderations")
      return Response.json(moderate(JSON.parse(call.body), call.requestId));
    if (call.endpoint === "audio/speech") return answerSpeech(JSON.parse(call.body) as SpeechRequest);
    const request = JSON.parse(call.body) as ChatCompletionRequest;
    if (request.model === "sandbox-429")
      return refuse(429, "The sandbox refuses this model's calls with 429.");
    if (request.model === "sandbox-500")
      return refuse(500, "The sandbox refuses this model's calls with 500.");
    if (request.model === "sandbox-hang") await wait(Number.POSITIVE_INFINITY, signal);
    const answer = answerChat(request, call.requestId, clock);
    const pauseMs = request.model === "sandbox-slow" ? SLOW_MS : 0;
    const isCut = request.model === "sandbox-cut";
    if (call.stream) {
      const headers = { "content-type": "text/event-stream" };
      return new Response(streamAnswer(answer, { wait, signal, pauseMs, isCut }), { headers });
    }
    if (pauseMs > 0) await wait(pauseMs * answer.usage.completion_tokens, signal);
    const body = JSON.stringify(joinAnswer(answer));
    const headers = { "content-type": "application/json" };
    return new Response(isCut ? body.slice(0, body.length / 2) : body, { headers });
  };
  return { send: (call) => new RespondedRequest((signal) => complete(call, signal)) };
}

function answerSpeech(request: SpeechRequest): Response {
  const type = findSpeechType(request);
  if (!type) return refuse(400, "The sandbox speaks as mp3, wav and pcm.");
  const isEvents = request.stream_format === "sse";
  const pieces = isEvents ? speakAsEvents(request) : speak(request);
  const headers = { "content-type": isEvents ? "text/event-stream" : type };
  return new Response(Readable.toWeb(Readable.from(pieces)) as unknown as ReadableStream, { headers });
}

function answerChat(request: ChatCompletionRequest, requestId: string, clock: Clock): Answer {
  const limits = [request.max_tokens, request.max_completion_tokens].filter(
    (limit) => typeof limit === "number",
  );
  const all = splitWords(composeAnswer(request.model, request.messages));
  const words = all.slice(0, Math.min(...limits, all.length));
  const choices = Array.from({ length: request.n ?? 1 }, () => words);
  const prompt_tokens = countPromptWords(request.messages);
  const completion_tokens = words.length * choices.length;
  return {
    head: {
      id: `chatcmpl-sandbox-${requestId}`,
      created: toUnixSeconds(clock.nowMs()),
      model: request.model,
      system_fingerprint: "sandbox-no-ai",
    },
    choices,
    finishReason: words.length < all.length ? "length" : "stop",
    usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
    wantsUsage: request.stream_options?.include_usage === true,
  };
}

function joinAnswer({ head, choices, finishReason, usage }: Answer): object {
  return {
    ...head,
    object: "chat.completion",
    choices: choices.map((words, index) => ({
      index,
      message: { role: "assistant", content: words.join(""), refusal: null },
      logprobs: null,
      finish_reason: finishReason,
    })),
    usage,
  };
}

function refuse(status: number, message: string): Response {
  const headers = status === 429 ? { "retry-after": "1" } : undefined;
  return Response.json({ error: { message, type: "sandbox", code: null, param: null } }, { status, headers });
}

const MAX_TIMER_MS = 2 ** 31 - 1;

const waitFor: Wait = (ms, signal) => setTimeout(Math.min(ms, MAX_TIMER_MS), undefined, { signal });

const NOTICE = "This is Gatehouse's sandbox: a fixed text, not the answer of an AI.";

/** The text that a sandbox model answers with; deterministic for a conversation. */
function composeAnswer(model: string, messages: readonly ChatMessage[]): string {
  const question = findLastUserText(messages);
  return model === "sandbox-chat" ? composeMarkdown(question) : question;
}

function composeMarkdown(question: string): string {
  const subject = question.trim().split(/\s+/).slice(0, 12).join(" ") || "nothing";
  return `## A sandbox reply

${NOTICE} You asked about *${subject}*, and a real model would answer that here.

What this reply is good for:

1. seeing how **Markdown** looks while it streams,
2. watching usage and charges move,
3. testing a client without spending on a provider.

\`\`\`ts
const reply = await client.chat.completions.create({
  model: "sandbox-chat",
  messages: [{ role: "user", content: "Hello" }],
});
console.log(reply.choices[0].message.content);
\`\`\`

| Token | Meaning here |
| --- | --- |
| prompt | one for each word you sent |
| completion | one for each word of this reply |

> Choose a model of one of your providers to talk to an AI.`;
}

const encoder = new TextEncoder();

/** The answer as `chat.completion.chunk` events, one for each word of each choice. */
function streamAnswer(
  answer: Answer,
  { wait, signal, pauseMs, isCut }: { wait: Wait; signal: AbortSignal; pauseMs: number; isCut: boolean },
): ReadableStream<Uint8Array> {
  const events = writeEvents(answer);
  const sentEvents = isCut ? events.slice(0, Math.ceil(events.length / 2)) : events;
  let next = 0;
  return new ReadableStream({
    async pull(controller) {
      if (pauseMs > 0 && next > 0) await wait(pauseMs, signal);
      signal.throwIfAborted();
      const event = sentEvents[next++];
      if (event === undefined) controller.close();
      else controller.enqueue(encoder.encode(`data: ${event}\n\n`));
    },
  });
}

function writeEvents({ head, choices, usage, wantsUsage, finishReason }: Answer): string[] {
  const chunk = (index: number, delta: object, finish_reason: string | null) =>
    JSON.stringify({
      ...head,
      object: "chat.completion.chunk",
      choices: [{ index, delta, finish_reason }],
      ...(wantsUsage && { usage: null }),
    });
  const deltas = choices.flatMap((words, index) => [
    chunk(index, { role: "assistant", content: "" }, null),
    ...words.map((content) => chunk(index, { content }, null)),
    chunk(index, {}, finishReason),
  ]);
  const usageChunk = JSON.stringify({ ...head, object: "chat.completion.chunk", choices: [], usage });
  return [...deltas, ...(wantsUsage ? [usageChunk] : []), "[DONE]"];
}

/** OpenAI's categories, each with a word that the sandbox takes for it: `sandbox-violence` flags `violence`. */
const categories = [
  "harassment",
  "harassment/threatening",
  "hate",
  "hate/threatening",
  "illicit",
  "illicit/violent",
  "self-harm",
  "self-harm/instructions",
  "self-harm/intent",
  "sexual",
  "sexual/minors",
  "violence",
  "violence/graphic",
];

/** Flags the texts that name a category as `sandbox-<category>`, and no others. Deterministic, and no AI. */
function moderate({ model, input }: ModerationRequest, requestId: string): object {
  const isParts = typeof input !== "string" && typeof input[0] === "object";
  const texts =
    typeof input === "string" ? [input] : input.map((one) => (typeof one === "string" ? one : one.text));
  const prompt_tokens = texts.reduce((sum, text) => sum + splitWords(text).length, 0);
  return {
    id: `modr-sandbox-${requestId}`,
    model,
    // Parts are one input together.
    results: (isParts ? [texts.join("\n")] : texts).map(moderateText),
    usage: { prompt_tokens, total_tokens: prompt_tokens },
  };
}

function moderateText(text: string): object {
  const words = new Set(text.toLowerCase().split(/\s+/));
  const isNamed = (category: string) => words.has(`sandbox-${category}`);
  const each = <Value>(readValue: (category: string) => Value) =>
    Object.fromEntries(categories.map((category) => [category, readValue(category)]));
  return {
    flagged: categories.some(isNamed),
    categories: each(isNamed),
    category_scores: each((category) => (isNamed(category) ? 1 : 0)),
    category_applied_input_types: each(() => ["text"]),
  };
}

/** One answer of the sandbox, before it is written whole or as a stream. */
interface Answer {
  readonly head: { id: string; created: number; model: string; system_fingerprint: string };
  /** The words of each choice. */
  readonly choices: readonly (readonly string[])[];
  readonly finishReason: "stop" | "length";
  readonly usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
  readonly wantsUsage: boolean;
}

/** Waits, or rejects with the signal's reason as soon as it aborts. */
type Wait = (ms: number, signal: AbortSignal) => Promise<void>;
