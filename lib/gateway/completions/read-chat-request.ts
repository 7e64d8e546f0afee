import type { BodyBounds } from "@/lib/contract/operation";
import { messageRequest } from "@/lib/contract/operations/completions";
import { parseJsonObject } from "../http/parse-json";
import { parseWith } from "../http/parse-with";
import { scanObject } from "../http/scan-json";
import { hashSecret } from "../ports/hash";
import { anthropicRequest } from "./anthropic/content-blocks";
import { translateRequest } from "./anthropic/translate-request";
import { HeldRequest } from "./call-request";
import { type ChatRequest, parseChatRequest } from "./chat-request";

/** How a body is to be understood: as Anthropic's own in the last case. */
export type BodyForm = "chat completion" | "chat message" | "message";

export interface ReadingOrder {
  readonly form: BodyForm;
  /** Whether an idempotency key came with it. */
  readonly wantsHash: boolean;
}

/**
 * Makes a chat request of a body. It is the same work wherever it is done: here for a short body, on a thread for a long one.
 * @throws Refusal 400 for a body that is none.
 */
export function readChatRequest(
  bytes: Uint8Array,
  { form, wantsHash }: ReadingOrder,
  bounds: Pick<BodyBounds, "entries">,
): HeldRequest {
  const body = parseJsonObject(bytes, bounds);
  const hash = wantsHash ? hashSecret(`${form}\n${body.text}`) : null;
  if (form === "message") return new HeldRequest(translate(body.value), hash);
  if (form === "chat message") parseWith(messageRequest, body.value);
  return new HeldRequest(parseChatRequest(body), hash);
}

function translate(message: unknown): ChatRequest {
  const value = translateRequest(parseWith(anthropicRequest, message));
  const text = JSON.stringify(value);
  return parseChatRequest({ text, value, scanned: scanObject(text) });
}
