import type { ServerReply } from "../../http/outbound/server-reply";
import { PulledResponse } from "../../http/pulled-response";
import { ReplyRecorder } from "../replies/reply-recorder";
import type { AdmittedCall, AnswerContext } from "./admitted-call";
import { type EventSource, readAsEvents } from "./read-as-events";
import { ReplyClient } from "./reply-client";
import { ReplyRelay } from "./reply-relay";
import { StreamedEvents } from "./streamed-events";

/**
 * Streams a completion: the provider's own bytes, event by event, as they arrive. The usage chunk goes only to callers
 * that asked for it, the charge is on disk before `[DONE]` is sent, and a client that doesn't read pauses the provider.
 * A provider that exceeds the output limit is stopped, and the stream ends as it does at `max_tokens`.
 * @throws Refusal 502 where the reply is not an event stream.
 */
export function answerStream(
  reply: ServerReply,
  call: AdmittedCall,
  context: Pick<AnswerContext, "logFault" | "replyReader">,
): Response | Promise<Response> {
  const isStream = reply.header("content-type")?.includes("event-stream");
  if (isStream) return relayEvents(reply, call, context);
  const reading = readAsEvents(reply, call, context.replyReader);
  return reading.then((source) => relayEvents(source, call, context));
}

function relayEvents(
  source: EventSource,
  call: AdmittedCall,
  context: Pick<AnswerContext, "logFault" | "replyReader">,
): Response {
  call.connection.noteStreamBegan();
  const { capture, exchange } = call.incoming;
  const client = new ReplyClient(capture);
  const events = new StreamedEvents(source, client, call, context.replyReader);
  const relay = new ReplyRelay(events, client, call, context);
  call.streamThrough(relay);
  if (call.hold.idempotencyLock) relay.outliveClient(new ReplyRecorder(), exchange.clientSignal);
  return new PulledResponse(relay, { headers: call.headers("text/event-stream") });
}
