import type { BodyBounds } from "@/lib/contract/operation";
import { type SpeechRequest as SpeechBody, speechRequest } from "@/lib/contract/operations/calls/audio";
import { messageRequest } from "@/lib/contract/operations/calls/completions";
import { imageRequest } from "@/lib/contract/operations/calls/images";
import { videoRequest } from "@/lib/contract/operations/tasks/videos";
import { PARTS_PER_UNIT } from "@/lib/money/charge";
import { type BodyPieces, countBytes, joinPieces } from "../../http/body-reader";
import { type JsonObject, parseJsonObject, scanObject, spliceObject } from "../../http/json";
import { parseWith } from "../../http/parse-with";
import { copyToOwnMemory, WorkerClient } from "../../http/worker-client";
import { hashBody } from "../../idempotency/idempotency";
import { withoutPrompt } from "../../providers/prompt-size/estimate-prompt";
import type { Endpoint } from "../../providers/provider-client";
import { invalid, Refusal, retryAfter } from "../../refusal";
import { isPromptAlone, PreparedChatRequest, parseChatRequest, parsePromptAlone } from "./chat-request";
import { PreparedMessageRequest } from "./prepared-message-request";
import {
  type CompletionRequest,
  type Counting,
  type OrderRequest,
  PreparedOrder,
  type PreparedRequest,
  type RequestEstimate,
  type RequestFields,
  type Terms,
} from "./prepared-request";
import { PreparedResponseRequest } from "./prepared-response-request";
import { refuseUnpricedOrder } from "./priced-fields";
import { readEmbeddingRequest, readModerationRequest } from "./read-input-request";

/** A text to speak, priced by its characters. */
class SpeechRequest implements CompletionRequest {
  readonly answeredBy = "provider";
  readonly endpoint = "audio/speech";
  readonly fields: RequestFields;
  readonly #characters: number;

  constructor(
    private readonly body: JsonObject,
    { model, input, instructions, stream_format }: SpeechBody,
    readonly bodyHash: string | null,
  ) {
    this.fields = { model, stream: stream_format === "sse" };
    this.#characters = countCharacters(input) + countCharacters(instructions ?? "");
  }

  estimate({ unit }: Counting): RequestEstimate {
    return unit ? { ...withoutPrompt, units: this.#characters * PARTS_PER_UNIT } : withoutPrompt;
  }

  upstream({ model }: Terms): string {
    const { text, scanned } = this.body;
    if (model === this.fields.model) return text;
    return spliceObject(text, scanned, new Map([["model", JSON.stringify(model)]]));
  }

  release(): void {}
}

/** @throws Refusal 400 naming the first invalid field. */
function readSpeechRequest(body: JsonObject, bodyHash: string | null): SpeechRequest {
  return new SpeechRequest(body, parseWith(speechRequest, body.value), bodyHash);
}

/** Counts Unicode characters: one outside the basic plane counts once. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Bodies within these bounds take at most five milliseconds on the event loop. */
const SYNCHRONOUS_BOUNDS = { bytes: 128 * 1024, entries: 2_000 };
const MAX_HELD_BYTES = 512 * 1024 * 1024;
const MAX_WAITING = 64;
const TIMEOUT_MS = 10_000;

type Question = Exclude<ThreadQuestion, { kind: "release" }>;

/**
 * Parses requests: short bodies on the event loop, long ones on a thread that starts with the first of them. So a long
 * body never delays other callers' streams.
 */
export class RequestReader {
  readonly #thread: WorkerClient<Question, ThreadAnswer>;
  #heldBytes = 0;
  #lastId = 0;

  /** @param logFault receives the reason why a thread ended. @param start starts a thread of `request-thread.ts`. */
  constructor(
    logFault: (reason: string) => void,
    start = () => new Worker(new URL("./request-thread.ts", import.meta.url)),
  ) {
    this.#thread = new WorkerClient({
      start,
      timeoutMs: TIMEOUT_MS,
      listTransfers: (question) =>
        question.kind === "read" ? question.pieces.map(({ buffer }) => buffer) : [],
      standsAlone: ({ kind }) => kind === "read",
      createLossError,
      createCostError,
      logFault,
    });
  }

  /** @throws Refusal 400 for an invalid body; 503 where too many long ones are waiting. */
  read(
    pieces: BodyPieces,
    options: ReadingOptions,
    bounds: BodyBounds,
  ): PreparedRequest | Promise<PreparedRequest> {
    const size = countBytes(pieces);
    if (size > SYNCHRONOUS_BOUNDS.bytes) return this.#readOnThread({ pieces, size }, options, bounds);
    const bytes = joinPieces(pieces);
    try {
      return readRequest(bytes, options, { entries: Math.min(SYNCHRONOUS_BOUNDS.entries, bounds.entries) });
    } catch (error) {
      const isLong = error instanceof Refusal && error.code === "too_many_entries";
      if (isLong) return this.#readOnThread({ pieces: [bytes], size }, options, bounds);
      throw error;
    }
  }

  close(): void {
    this.#thread.close();
  }

  async #readOnThread(
    { pieces, size }: { pieces: BodyPieces; size: number },
    options: ReadingOptions,
    { entries }: BodyBounds,
  ): Promise<PreparedRequest> {
    if (this.#heldBytes + size > MAX_HELD_BYTES || this.#thread.waiting >= MAX_WAITING)
      throw createMemoryError();
    const id = ++this.#lastId;
    let { generation } = this.#thread;
    this.#heldBytes += size;
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      this.#heldBytes -= size;
      if (generation === this.#thread.generation) this.#thread.tell({ kind: "release", id });
    };
    const ask = (question: Question) => {
      if (generation !== this.#thread.generation) throw createLossError();
      return this.#thread.ask(question);
    };
    try {
      const question = { kind: "read", id, pieces: pieces.map(copyToOwnMemory), options, entries } as const;
      const { read } = expectAnswer("read", await this.#thread.ask(question));
      ({ generation } = this.#thread);
      if (read.answeredBy === "task") return { ...read, order: null, release };
      let translated: TranslationFacts = {};
      return {
        ...read,
        get message() {
          return translated.message;
        },
        get response() {
          return translated.response;
        },
        get chatReply() {
          return translated.chatReply;
        },
        get leftOut() {
          return translated.leftOut;
        },
        async estimate(counting: Counting): Promise<RequestEstimate> {
          const answer = expectAnswer("estimate", await ask({ kind: "estimate", id, counting }));
          ({ translated } = answer);
          return answer.estimate;
        },
        async upstream(terms: Terms) {
          const answer = expectAnswer("upstream", await ask({ kind: "upstream", id, terms }));
          ({ translated } = answer);
          return answer.bytes;
        },
        release,
      };
    } catch (error) {
      release();
      throw error;
    }
  }
}

/** @throws Refusal where the thread refused the body; Error for an internal fault. */
function expectAnswer<Kind extends ThreadAnswer["kind"]>(
  kind: Kind,
  answer: ThreadAnswer,
): Extract<ThreadAnswer, { kind: Kind }> {
  if (answer.kind === "refused") {
    const { status, type, code, message, details } = answer.refusal;
    throw new Refusal(status, type, code, message, details);
  }
  if (answer.kind !== kind) {
    throw new Error(answer.kind === "fault" ? answer.reason : `Asked for ${kind}, got ${answer.kind}`);
  }
  return answer as Extract<ThreadAnswer, { kind: Kind }>;
}

const retryLater = { headers: retryAfter(1) };

function createMemoryError(): Refusal {
  const message = "The gateway is reading as many long requests as it has memory for. Try again in a second.";
  return new Refusal(503, "service_error", "too_much_at_once", message, retryLater);
}

function createLossError(): Refusal {
  const message = "The gateway lost this request while it was read; nothing was sent. Try again in a second.";
  return new Refusal(503, "service_error", "too_much_at_once", message, retryLater);
}

function createCostError(): Refusal {
  const message = `The body takes longer than ${TIMEOUT_MS / 1000} seconds to read. Send a smaller one.`;
  return invalid("body", message, "too_many_entries");
}

/** How a JSON body becomes a request, by what it asks for. */
const bodyReaders = {
  "chat completion": readChat,
  "message as chat completion": (body, hash) => {
    parseWith(messageRequest, body.value);
    return readChat(body, hash);
  },
  "anthropic message": (body, hash) => new PreparedMessageRequest(body, hash, false),
  "anthropic message count": (body, hash) => new PreparedMessageRequest(body, hash, true),
  response: (body, hash, earlierItems) => new PreparedResponseRequest(body, hash, earlierItems),
  embedding: readEmbeddingRequest,
  moderation: readModerationRequest,
  speech: readSpeechRequest,
  image: readOrder("images/generations", imageRequest),
  video: readOrder("videos", videoRequest),
} satisfies Readonly<
  Record<string, (body: JsonObject, hash: string | null, earlierItems: number) => ReadRequest>
>;

export type BodyKind = keyof typeof bodyReaders;

export interface ReadingOptions {
  readonly kind: BodyKind;
  /** Whether the request has an idempotency key. */
  readonly wantsHash: boolean;
  /** The model to read instead of the body's; null or absent for the body's own. */
  readonly pathModel?: string | null;
  /** How many items of earlier turns precede a response's own; absent for none. */
  readonly earlierItems?: number;
}

/** A request whose text stays on this thread, so that it answers synchronously. */
type ReadRequest = ReadCompletion | OrderRequest;

export interface ReadCompletion extends CompletionRequest {
  estimate(...of: Parameters<CompletionRequest["estimate"]>): RequestEstimate;
  upstream(...of: Parameters<CompletionRequest["upstream"]>): string;
}

/** Parses a body on the calling thread. @throws Refusal 400 for an invalid body. */
export function readRequest(
  bytes: Uint8Array,
  { kind, wantsHash, pathModel = null, earlierItems = 0 }: ReadingOptions,
  bounds: Pick<BodyBounds, "entries">,
): ReadRequest {
  const sent = parseJsonObject(bytes, bounds);
  const body = pathModel === null ? sent : withModel(sent, pathModel);
  return bodyReaders[kind](body, wantsHash ? hashBody(`${kind}\n${body.text}`) : null, earlierItems);
}

function withModel({ text, scanned, value }: JsonObject, model: string): JsonObject {
  const changed = spliceObject(text, scanned, new Map([["model", JSON.stringify(model)]]));
  return { text: changed, scanned: scanObject(changed), value: { ...value, model } };
}

function readChat(body: JsonObject, hash: string | null): PreparedChatRequest | PreparedOrder {
  return isPromptAlone(body.value)
    ? new PreparedOrder("chat/completions", parsePromptAlone(body), hash)
    : new PreparedChatRequest(parseChatRequest(body), hash);
}

function readOrder(endpoint: Endpoint, schema: typeof imageRequest | typeof videoRequest) {
  return (body: JsonObject, hash: string | null): PreparedOrder => {
    const order = { ...parseWith(schema, body.value), messages: [] };
    refuseUnpricedOrder(order);
    return new PreparedOrder(endpoint, order, hash);
  };
}

/** Questions for the thread; `id` names the request that it keeps. */
export type ThreadQuestion =
  | {
      kind: "read";
      id: number;
      pieces: readonly Uint8Array<ArrayBuffer>[];
      options: ReadingOptions;
      entries: number;
    }
  | { kind: "estimate"; id: number; counting: Counting }
  | { kind: "upstream"; id: number; terms: Terms }
  | { kind: "release"; id: number };

/** What a call needs of a request at once. */
type RequestHead =
  | Pick<
      CompletionRequest,
      "answeredBy" | "endpoint" | "protocol" | "fields" | "bodyHash" | "embeddingForm" | "session" | "madeBy"
    >
  | Pick<OrderRequest, "answeredBy" | "endpoint" | "fields" | "bodyHash">;

/** What is known of a request once it is translated. */
export type TranslationFacts = Pick<CompletionRequest, "message" | "response" | "chatReply" | "leftOut">;

/** The answers to all questions but a release, in their order. */
export type ThreadAnswer =
  | { kind: "read"; read: RequestHead }
  | { kind: "estimate"; estimate: RequestEstimate; translated: TranslationFacts }
  | { kind: "upstream"; bytes: Uint8Array<ArrayBuffer>; translated: TranslationFacts }
  | { kind: "refused"; refusal: Pick<Refusal, "status" | "type" | "code" | "message" | "details"> }
  | { kind: "fault"; reason: string };
