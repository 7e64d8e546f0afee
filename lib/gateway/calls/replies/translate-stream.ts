import { EventSplitter } from "../../http/event-splitter";
import type { StreamSource } from "../../http/response";
import type { Chunk } from "../anthropic/message-events";
import type { ReplyReader } from "./reply-reader";

/** Translates the chunks of a chat completion to the events of another protocol. */
interface ChunkTranslator {
  /** The events that come before any chunk; absent for none. */
  start?(): string;
  translate(chunk: Chunk | "[DONE]" | null): string;
}

/** Translates a stream of `chat.completion.chunk` events. It ends where the completion's stream ends. */
export function translateStream(
  chunks: ReadableStream<Uint8Array>,
  events: ChunkTranslator,
  replyReader: ReplyReader,
  logFault: (error: unknown) => void,
  /** Awaited before the end is passed on. */
  onEnd: () => Promise<void> = async () => {},
): StreamSource {
  const reader = chunks.getReader();
  const splitter = new EventSplitter();
  let waiting = events.start?.() ?? "";
  return {
    async pull(controller) {
      try {
        let text = waiting;
        waiting = "";
        while (text === "") {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          for (const event of splitter.push(value)) {
            const reading = replyReader.readChunk(event);
            const chunk = reading instanceof Promise ? await reading : reading;
            text += events.translate(chunk);
            if (chunk === "[DONE]") await onEnd();
          }
        }
        controller.enqueue(Buffer.from(text));
      } catch (error) {
        // Nobody cancels a stream that has failed, and the call would stay open.
        await reader.cancel(error).catch(() => {});
        // What has no reason was logged before.
        if (error !== undefined) logFault(error);
        controller.error();
      }
    },
    cancel: () => reader.cancel(),
  };
}
