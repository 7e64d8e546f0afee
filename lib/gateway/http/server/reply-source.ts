import { KnownResponse, WRITTEN_BYTES } from "../known-response";
import { PulledResponse, type ReplySource } from "../pulled-response";

/** The source of a body that isn't written at once; null if there is no body. */
export function createReplySource(response: Response): ReplySource | null {
  if (response instanceof PulledResponse && !response.isStreamed) return response.source;
  if (response instanceof KnownResponse && !response.isStreamed) return createPiecesSource(response);
  return response.body && createStreamSource(response.body);
}

function createPiecesSource(response: KnownResponse): ReplySource {
  const parts = response.parts();
  return {
    pull(sink) {
      const { done, value } = parts.next();
      if (!done) return sink.enqueue(value);
      response.onTaken();
      sink.close();
    },
    cancel: () => response.onTaken(),
  };
}

function createStreamSource(body: ReadableStream<Uint8Array>): ReplySource {
  const reader = body.getReader();
  return {
    async pull(sink) {
      const { done, value } = await reader.read();
      if (done) sink.close();
      else sink.enqueue(value);
    },
    cancel: () => reader.cancel(),
  };
}

/** Ends a response that nobody receives. */
export function discard(response: Response): void {
  const isTaken = response instanceof PulledResponse || response instanceof KnownResponse;
  if (!isTaken && response.body?.locked) return;
  void Promise.resolve(createReplySource(response)?.cancel()).catch(() => {});
}

/** The body if it is written at once; null for any other. */
export function findShortBody(response: Response): Uint8Array | null {
  if (!(response instanceof KnownResponse) || response.isStreamed) return null;
  const [only] = response.pieces;
  return response.pieces.length === 1 && only && only.byteLength <= WRITTEN_BYTES ? only : null;
}
