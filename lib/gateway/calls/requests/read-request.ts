import type { BodyBounds } from "@/lib/contract/operation";
import { messageRequest } from "@/lib/contract/operations/calls/completions";
import { imageRequest } from "@/lib/contract/operations/calls/images";
import { videoRequest } from "@/lib/contract/operations/tasks/videos";
import { type JsonObject, parseJsonObject } from "../../http/parse-json";
import { parseWith } from "../../http/parse-with";
import { scanObject } from "../../http/scan-json";
import { spliceObject } from "../../http/splice-json";
import { hashBody } from "../../idempotency/idempotency";
import type { Endpoint } from "../../providers/provider-client";
import { isPromptAlone, parseChatRequest, parsePromptAlone } from "./chat-request";
import { PreparedChatRequest } from "./prepared-chat-request";
import { PreparedMessageRequest } from "./prepared-message-request";
import { PreparedOrder } from "./prepared-order";
import type { CompletionRequest, OrderRequest, RequestEstimate } from "./prepared-request";
import { refuseUnpricedOrder } from "./priced-features";
import { readEmbeddingRequest, readModerationRequest } from "./read-input-request";
import { readSpeechRequest } from "./speech-request";

/** How a JSON body becomes a request, by what it asks for. */
const bodyReaders = {
  "chat completion": readChat,
  "message as chat completion": (body, hash) => {
    parseWith(messageRequest, body.value);
    return readChat(body, hash);
  },
  "anthropic message": (body, hash) => new PreparedMessageRequest(body, hash, false),
  "anthropic message count": (body, hash) => new PreparedMessageRequest(body, hash, true),
  embedding: readEmbeddingRequest,
  moderation: readModerationRequest,
  speech: readSpeechRequest,
  image: readOrder("images/generations", imageRequest),
  video: readOrder("videos", videoRequest),
} satisfies Readonly<Record<string, (body: JsonObject, hash: string | null) => ReadRequest>>;

export type BodyKind = keyof typeof bodyReaders;

export interface ReadingOptions {
  readonly kind: BodyKind;
  /** Whether the request has an idempotency key. */
  readonly wantsHash: boolean;
  /** The model to read instead of the body's; null or absent for the body's own. */
  readonly pathModel?: string | null;
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
  { kind, wantsHash, pathModel = null }: ReadingOptions,
  bounds: Pick<BodyBounds, "entries">,
): ReadRequest {
  const sent = parseJsonObject(bytes, bounds);
  const body = pathModel === null ? sent : withModel(sent, pathModel);
  return bodyReaders[kind](body, wantsHash ? hashBody(`${kind}\n${body.text}`) : null);
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
