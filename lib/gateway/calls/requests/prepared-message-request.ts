import type { CacheLifetime } from "@/lib/money/charge";
import { scanObject } from "../../http/scan-json";
import type { LeftOut } from "../anthropic/left-out";
import { toOrigin } from "../anthropic/returned-parts";
import { type Conversation, translateRequest } from "../anthropic/translate-request";
import { buildUpstreamBody, type Terms } from "./build-upstream-body";
import { type ChatRequest, parseChatRequest } from "./chat-request";
import { findCacheWrite } from "./counting";
import { PreparedChatRequest } from "./prepared-chat-request";

/**
 * A request of Anthropic's Messages API as a chat request. It is priced with everything that earlier answers gave back,
 * and each server gets what it gave itself.
 */
export class PreparedMessageRequest extends PreparedChatRequest {
  readonly #origins: ReadonlySet<string>;

  constructor(
    private readonly conversation: Conversation,
    bodyHash: string | null,
    leftOut: LeftOut,
    private readonly sentText: string,
  ) {
    const { value, facts, origins } = translateRequest(conversation, () => true, leftOut);
    super(toChatRequest(value), bodyHash, facts, leftOut.names);
    this.#origins = origins;
  }

  /** As it was sent, since it may ask for what its translation has no words for. */
  protected override cacheWrite(): CacheLifetime | undefined {
    return findCacheWrite(this.sentText);
  }

  override upstream(terms: Terms): string {
    const origin = toOrigin(terms.baseUrl);
    if ([...this.#origins].every((other) => other === origin)) return super.upstream(terms);
    const { value } = translateRequest(this.conversation, (other) => other === origin);
    return buildUpstreamBody(toChatRequest(value), terms);
  }
}

function toChatRequest(value: Record<string, unknown>): ChatRequest {
  const text = JSON.stringify(value);
  return parseChatRequest({ text, value, scanned: scanObject(text) });
}
