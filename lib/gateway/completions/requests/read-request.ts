import type { BodyBounds } from "@/lib/contract/operation";
import { messageRequest } from "@/lib/contract/operations/completions";
import { imageRequest } from "@/lib/contract/operations/images";
import { videoRequest } from "@/lib/contract/operations/videos";
import { parseJsonObject } from "../../http/parse-json";
import { parseWith } from "../../http/parse-with";
import { scanObject } from "../../http/scan-json";
import type { PromptEstimate } from "../../providers/prompt-size/estimate-prompt";
import { hashSecret } from "../../secrets/hash-secret";
import { anthropicCountRequest, anthropicRequest } from "../anthropic/content-blocks";
import { type Conversation, translateRequest } from "../anthropic/translate-request";
import { type ChatRequest, parseChatRequest } from "./chat-request";
import { OrderRequest } from "./order-request";
import { HeldRequest, type PreparedRequest } from "./prepared-request";
import { refuseUnpricedFields } from "./priced-fields";
import { readEmbeddingRequest, readModerationRequest } from "./read-input-request";
import { readSpeechRequest } from "./speech-request";

/** The format of a body; `message` and `message count` are Anthropic's. */
export type BodyForm =
  | "chat completion"
  | "chat message"
  | "message"
  | "message count"
  | "embedding"
  | "moderation"
  | "speech"
  | OrderForm;

/** Orders that have their own endpoints. */
export type OrderForm = "image" | "video";

const orders = {
  image: { endpoint: "images/generations", schema: imageRequest },
  video: { endpoint: "videos", schema: videoRequest },
} as const;

export interface ReadingOptions {
  readonly form: BodyForm;
  /** Whether the request has an idempotency key. */
  readonly wantsHash: boolean;
}

/** A request whose text stays on this thread, so that it answers synchronously. */
export interface ReadRequest extends PreparedRequest {
  estimate(...of: Parameters<PreparedRequest["estimate"]>): PromptEstimate;
  upstream(...of: Parameters<PreparedRequest["upstream"]>): string;
}

/** Parses a body: a short one on the event loop, a long one on a thread. @throws Refusal 400 for an invalid body. */
export function readRequest(
  bytes: Uint8Array,
  { form, wantsHash }: ReadingOptions,
  bounds: Pick<BodyBounds, "entries">,
): ReadRequest {
  const body = parseJsonObject(bytes, bounds);
  const hash = wantsHash ? hashSecret(`${form}\n${body.text}`) : null;
  if (form === "embedding") return readEmbeddingRequest(body, hash);
  if (form === "moderation") return readModerationRequest(body, hash);
  if (form === "speech") return readSpeechRequest(body, hash);
  if (form === "image" || form === "video") return readOrder(body.value, form, hash);
  if (form === "message" || form === "message count") {
    const schema = form === "message" ? anthropicRequest : anthropicCountRequest;
    const message = parseWith(schema, body.value);
    const { thinking } = message;
    return new HeldRequest(
      translate(message),
      hash,
      thinking?.type === "enabled" || thinking?.type === "adaptive",
    );
  }
  if (form === "chat message") parseWith(messageRequest, body.value);
  return new HeldRequest(parseChatRequest(body), hash);
}

function readOrder(value: unknown, form: OrderForm, hash: string | null): OrderRequest {
  const { endpoint, schema } = orders[form];
  const order = { ...parseWith(schema, value), messages: [] };
  refuseUnpricedFields(order);
  return new OrderRequest(endpoint, order, hash);
}

function translate(message: Conversation): ChatRequest {
  const value = translateRequest(message);
  const text = JSON.stringify(value);
  return parseChatRequest({ text, value, scanned: scanObject(text) });
}
