import type { ChatEvent } from "./chat-event";

/** Fast models write a word every few milliseconds, and each event costs the browser more than its words. */
const GATHER_MS = 40;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Joins words that arrive close together into one event. The first ones are sent at once, so that the time to the first
 * token stays accurate. Other events keep their order.
 */
export async function* mergeText(
  source: AsyncIterable<ChatEvent>,
  gather: () => Promise<void> = () => pause(GATHER_MS),
): AsyncGenerator<ChatEvent> {
  const events = source[Symbol.asyncIterator]();
  const ahead = () => {
    const next = events.next();
    // It is awaited below. If the consumer has stopped by then, its failure must not be unhandled.
    next.catch(() => {});
    return next;
  };
  let isFirst = true;
  try {
    for (let next = ahead(); ; ) {
      const { done, value: event } = await next;
      if (done) return;
      next = ahead();
      if (event.type !== "text") {
        yield event;
        continue;
      }
      let { text } = event;
      const time = isFirst ? Promise.resolve() : gather();
      isFirst = false;
      for (;;) {
        // A failure is thrown where it is awaited above, after the words before it.
        const more = await Promise.race([time, next.catch(() => null)]);
        if (!more || more.done || more.value.type !== "text") break;
        text += more.value.text;
        next = ahead();
      }
      yield { type: "text", text };
    }
  } finally {
    await events.return?.();
  }
}
