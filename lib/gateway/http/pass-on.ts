import { Refusal } from "../refusal";

/**
 * Passes a stream on as fast as it is read. `refuseLostAccess` runs before each piece; if it throws a Refusal, the
 * stream breaks off, so that a part can't be mistaken for the whole.
 */
export function passOn(
  pieces: ReadableStream<Uint8Array>,
  refuseLostAccess: () => void,
): ReadableStream<Uint8Array> {
  const reader = pieces.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          refuseLostAccess();
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          void reader.cancel(error).catch(() => {});
          // The end of an access is no fault, so nothing is logged of it.
          controller.error(error instanceof Refusal ? undefined : error);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
