import { isObject } from "@/lib/contract/json-value";
import { EventSplitter, readEventData } from "../../http/event-splitter";
import { parseBounded } from "../../http/json";
import { providerBrokeOff } from "../../providers/provider-failure";
import { ChatChunks } from "../anthropic/write-chat-chunks";
import type { ChatReply } from "../anthropic/write-chat-reply";
import { MAX_REPLY_BYTES, type ReplyShare, SYNCHRONOUS_BYTES } from "./reply-memory";
import type { EventSource } from "./whole-completion";

/** A stream of Anthropic's events, read as one of `chat.completion.chunk` events. */
export class TranslatedEvents implements EventSource {
  readonly #splitter = new EventSplitter();
  readonly #chunks: ChatChunks;
  readonly share?: ReplyShare;

  constructor(
    private readonly source: EventSource,
    reply: ChatReply,
  ) {
    this.#chunks = new ChatChunks(reply);
    if (source.share) this.share = source.share;
  }

  /** @throws Refusal 502 for an event that can't be read. */
  async read(): Promise<Uint8Array<ArrayBuffer> | null> {
    for (;;) {
      const piece = await this.source.read();
      const events = piece === null ? [this.#splitter.flush()] : this.#splitter.push(piece);
      if (this.#splitter.restBytes > MAX_REPLY_BYTES)
        throw providerBrokeOff(`It sent an event of more than ${MAX_REPLY_BYTES} bytes`, {
          why: "odd_answer",
        });
      const text = events.map((event) => this.#translate(event)).join("");
      if (text !== "") return new TextEncoder().encode(text);
      if (piece === null) return null;
    }
  }

  #translate(event: Buffer): string {
    const data = readEventData(event)?.trim();
    if (!data) return "";
    try {
      const fields: unknown = event.byteLength > SYNCHRONOUS_BYTES ? parseBounded(data) : JSON.parse(data);
      return isObject(fields) ? this.#chunks.translate(fields) : "";
    } catch {
      throw providerBrokeOff("It sent an event that is no JSON", { why: "odd_answer" });
    }
  }
}
