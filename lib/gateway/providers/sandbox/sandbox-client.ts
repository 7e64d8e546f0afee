import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import type { SpeechRequest } from "@/lib/contract/operations/calls/audio";
import type { ChatCompletionRequest } from "@/lib/contract/operations/calls/completions";
import type { EmbeddingRequest } from "@/lib/contract/operations/calls/embeddings";
import type { Clock } from "../../clock";
import { isStreamed, RespondedRequest } from "../../http/outbound/server-reply";
import { toUnixSeconds } from "../../unix-seconds";
import type { AnsweringClient, ProviderRequest } from "../provider-client";
import type { Answer, Wait } from "./answer";
import { composeAnswer } from "./compose-answer";
import { countEmbeddedNumbers, embed, MAX_NUMBERS } from "./embed-text";
import { moderate } from "./moderate-text";
import { findSpeechType, speak, speakAsEvents } from "./speak-text";
import { countPromptWords, splitWords } from "./split-words";
import { streamAnswer } from "./stream-answer";
import { transcribe } from "./transcribe";

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
