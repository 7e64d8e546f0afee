import { Refusal } from "../refusal";
import { StreamedResponse, type StreamSource } from "./response";

/** Tells the client how soon to reconnect after the stream has ended. */
const RETRY_MS = 1_000;

interface EventsOptions {
  readonly headers: Readonly<Record<string, string>>;
  logFault(error: unknown): void;
  /** Called once, when the stream ends or its reader leaves. */
  onEnd(): void;
}

/**
 * Sends `events` as server-sent events, as fast as the client reads. The stream ends with the client or with `events`,
 * and breaks off if `events` fails.
 */
export function answerEvents(
  events: AsyncIterator<unknown>,
  { headers, logFault, onEnd }: EventsOptions,
): Response {
  const encoder = new TextEncoder();
  let isFirst = true;
  let isGone = false;
  const source: StreamSource = {
    async pull(controller) {
      try {
        const next = await events.next();
        if (isGone) return;
        if (next.done) {
          onEnd();
          return controller.close();
        }
        const retry = isFirst ? `retry: ${RETRY_MS}\n` : "";
        isFirst = false;
        // A comment keeps an idle connection open.
        const text = next.value === undefined ? ":\n\n" : `${retry}data: ${JSON.stringify(next.value)}\n\n`;
        controller.enqueue(encoder.encode(text));
      } catch (error) {
        onEnd();
        if (!(error instanceof Refusal)) logFault(error);
        controller.error();
      }
    },
    async cancel() {
      isGone = true;
      onEnd();
      await events.return?.();
    },
  };
  return new StreamedResponse(source, { headers: { ...headers, "content-type": "text/event-stream" } });
}
