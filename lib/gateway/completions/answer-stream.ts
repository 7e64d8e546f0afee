import type { ProviderReply } from "../providers/provider-client";
import type { AnswerContext, Completion } from "./completion";
import { refuseOtherThanEvents } from "./provider-reply";
import { StreamRelay } from "./stream-relay";

/**
 * A completion as it is generated: the provider's own bytes, event by event, the moment they arrive. Its usage chunk goes to those
 * who asked for it, the charge is on disk before `[DONE]` leaves, and a reader that doesn't read stops the provider. One that
 * writes more than it was allowed is stopped there, and the stream ends as it does at `max_tokens`.
 * @throws Refusal 502 when the reply is no event stream.
 */
export function answerStream(
  reply: ProviderReply,
  call: Completion,
  context: Pick<AnswerContext, "logFault" | "replyReader">,
): Response {
  refuseOtherThanEvents(reply);
  const relay = new StreamRelay(reply, call, context);
  call.relay = relay;
  if (call.open.takenKey) relay.outliveClient(call.incoming.exchange.clientSignal);
  const { capture } = call.incoming;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => relay.pull(capture ? capture.tap(controller) : controller),
    cancel: async () => {
      await relay.cancel();
      capture?.end();
    },
  });
  call.incoming.exchange.streamBegins();
  return new Response(body, { headers: call.headers("text/event-stream") });
}
