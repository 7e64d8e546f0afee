import { EventSplitter } from "../../http/event-splitter";
import { type StreamController, StreamedResponse, type StreamSource } from "../../http/response";
import type { Chunk } from "../anthropic/message-events";
import type { ReplyReader } from "./reply-reader";
import { findPlainDelta } from "./stream-event";
import { EventPattern } from "./stream-meter";

const encoder = new TextEncoder();

/** Translates the chunks of a chat completion to the events of another protocol. */
interface ChunkTranslator {
  /** The events that come before any chunk; absent for none. */
  start?(): string;
  translate(chunk: Chunk | "[DONE]" | null): string;
  /** Translates a chunk of the first choice that has a text and nothing else. */
  translateText(text: string): string;
}

/** Translates a stream of `chat.completion.chunk` events. It ends where the completion's stream ends. */
export function translateStream(
  reply: Response,
  events: ChunkTranslator,
  replyReader: ReplyReader,
  logFault: (error: unknown) => void,
  /** Awaited before the end is passed on. */
  onEnd: () => Promise<void> = async () => {},
): StreamSource {
  const pieces = new ReplyPieces(reply);
  const splitter = new EventSplitter();
  const pattern = new EventPattern();
  let waiting = events.start?.() ?? "";
  return {
    async pull(controller) {
      try {
        let text = waiting;
        waiting = "";
        while (text === "") {
          const piece = await pieces.read();
          if (piece === null) return controller.close();
          for (const event of splitter.push(piece)) {
            const alike = pattern.readText(event);
            if (alike) {
              text += events.translateText(alike);
              continue;
            }
            const reading = replyReader.readChunk(event);
            const chunk = reading instanceof Promise ? await reading : reading;
            text += events.translate(chunk);
            if (chunk === "[DONE]") await onEnd();
            else learn(pattern, event, chunk);
          }
        }
        controller.enqueue(encoder.encode(text));
      } catch (error) {
        // Nobody cancels a stream that has failed, and the call would stay open.
        await pieces.cancel().catch(() => {});
        // What has no reason was logged before.
        if (error !== undefined) logFault(error);
        controller.error();
      }
    },
    cancel: () => pieces.cancel(),
  };
}

/** Learns an event that says nothing but a text of the first choice: one that differs in its text alone is alike. */
function learn(pattern: EventPattern, event: Buffer, chunk: Chunk | null): void {
  const [choice] = chunk?.choices ?? [];
  if (!choice || (choice.index ?? 0) !== 0 || choice.finish_reason || chunk?.usage) return;
  const delta = findPlainDelta(event);
  if (delta && delta.end > delta.start) pattern.learn(event, delta.start, delta.end);
}

/** The pieces of a reply. One that is made while it is sent is taken from its source, past the stream of its body. */
class ReplyPieces implements StreamController {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  readonly #source: StreamSource | null = null;
  #pieces: Uint8Array[] = [];
  #state: "open" | "closed" | "broken off" = "open";
  /** Called by what the source does next. */
  #onChange: (() => void) | null = null;

  constructor(reply: Response) {
    if (reply instanceof StreamedResponse) this.#source = reply.source;
    else if (reply.body) this.#reader = reply.body.getReader();
    else this.#state = "closed";
  }

  /** Null at the end. @throws undefined where it breaks off. */
  async read(): Promise<Uint8Array | null> {
    if (this.#reader) return (await this.#reader.read()).value ?? null;
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece) return piece;
      if (this.#state === "closed") return null;
      if (this.#state === "broken off") throw undefined;
      await this.#source?.pull(this);
      // A source that is ending says so only once its charge is stored.
      if (this.#pieces.length === 0 && this.#state === "open")
        await new Promise<void>((resolve) => {
          this.#onChange = resolve;
        });
    }
  }

  enqueue(piece: Uint8Array): void {
    if (this.#state === "open") this.#pieces.push(piece);
    this.#onChange?.();
  }

  close(): void {
    this.#end("closed");
  }

  error(): void {
    this.#end("broken off");
  }

  async cancel(): Promise<void> {
    if (this.#reader) return this.#reader.cancel();
    const isOpen = this.#state === "open";
    this.#end("closed");
    this.#pieces = [];
    if (isOpen) await this.#source?.cancel();
  }

  #end(state: "closed" | "broken off"): void {
    if (this.#state === "open") this.#state = state;
    this.#onChange?.();
  }
}
