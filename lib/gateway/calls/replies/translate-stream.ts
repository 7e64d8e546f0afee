import { EventSplitter } from "../../http/event-splitter";
import { MessageEvents, type MessageStream } from "../anthropic/message-events";
import type { ReplyReader } from "./reply-reader";

/**
 * Translates a stream of `chat.completion.chunk` events to Anthropic's events. It ends where the completion's stream
 * ends.
 */
export function translateStream(
  chunks: ReadableStream<Uint8Array>,
  options: MessageStream,
  replyReader: ReplyReader,
): ReadableStream<Uint8Array> {
  const reader = chunks.getReader();
  const splitter = new EventSplitter();
  const events = new MessageEvents(options);
  return new ReadableStream({
    async pull(controller) {
      try {
        for (let text = ""; text === ""; ) {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          for (const event of splitter.push(value)) {
            const reading = replyReader.readChunk(event);
            text += events.translate(reading instanceof Promise ? await reading : reading);
          }
          if (text !== "") controller.enqueue(Buffer.from(text));
        }
      } catch (error) {
        // Nobody cancels a stream that has failed, and the call would stay open.
        await reader.cancel(error).catch(() => {});
        throw error;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
