import type { Problem } from "../gateway/problem";
import type { RunningStream } from "./running-streams";

/**
 * Turns events into a stream that opens their source on the first read and never throws: a failure becomes a final
 * `problem` event. After a cancellation it simply ends. A stream that is no longer read is canceled.
 */
export function streamEvents<Event>(
  stream: RunningStream,
  open: () => AsyncIterable<Event>,
  describe: (error: unknown) => Problem,
): ReadableStream<Event | { type: "problem"; problem: Problem }> {
  let events: AsyncIterator<Event> | undefined;
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          events ??= open()[Symbol.asyncIterator]();
          const next = stream.signal.aborted ? await close(events) : await events.next();
          if (!next.done) {
            controller.enqueue(next.value);
            return;
          }
        } catch (error) {
          if (!stream.signal.aborted) controller.enqueue({ type: "problem", problem: describe(error) });
        }
        stream.finish();
        controller.close();
      },
      cancel() {
        stream.cancel();
      },
    },
    { highWaterMark: 0 },
  );
}

async function close<Event>(events: AsyncIterator<Event>): Promise<{ done: true; value: undefined }> {
  await events.return?.();
  return { done: true, value: undefined };
}
