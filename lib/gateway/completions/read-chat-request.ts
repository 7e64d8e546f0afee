import type { BodyBounds } from "@/lib/contract/operation";
import { messageRequest } from "@/lib/contract/operations/completions";
import { parseJsonObject } from "../http/parse-json";
import { parseWith } from "../http/parse-with";
import { scanObject } from "../http/scan-json";
import { hashSecret } from "../secrets/hash-secret";
import { anthropicCountRequest, anthropicRequest } from "./anthropic/content-blocks";
import { type Conversation, translateRequest } from "./anthropic/translate-request";
import { type ChatRequest, parseChatRequest } from "./chat-request";
import { HeldRequest } from "./prepared-request";

/** The format of a body: Anthropic's own in the last two cases. */
export type BodyForm = "chat completion" | "chat message" | "message" | "message count";

export interface ReadingOptions {
  readonly form: BodyForm;
  /** Whether an idempotency key came with it. */
  readonly wantsHash: boolean;
}

/**
 * Parses a body into a chat request: on the event loop for a short one, on a thread for a long one.
 * @throws Refusal 400 for an invalid body.
 */
export function readChatRequest(
  bytes: Uint8Array,
  { form, wantsHash }: ReadingOptions,
  bounds: Pick<BodyBounds, "entries">,
): HeldRequest {
  const body = parseJsonObject(bytes, bounds);
  const hash = wantsHash ? hashSecret(`${form}\n${body.text}`) : null;
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

function translate(message: Conversation): ChatRequest {
  const value = translateRequest(message);
  const text = JSON.stringify(value);
  return parseChatRequest({ text, value, scanned: scanObject(text) });
}
