import type { ServerReply } from "../../http/outbound/server-reply";
import { PulledResponse } from "../../http/pulled-response";
import { providerFailed } from "../../providers/provider-failure";
import { BinaryReplyRecorder } from "../replies/binary-reply-recorder";
import { StreamErrorFinder } from "../replies/stream-error-finder";
import { TranscriptMeter } from "../replies/transcript-meter";
import type { AdmittedCall, AnswerContext } from "./admitted-call";
import { ReplyClient } from "./reply-client";
import { ReplyRelay } from "./reply-relay";
import { StreamedBytes } from "./streamed-bytes";

const AUDIO = /^(audio\/|application\/octet-stream\b|application\/ogg\b)/i;
const EVENTS = /^text\/event-stream\b/i;

/**
 * Streams bytes as the provider makes them, such as speech. A client that doesn't read pauses the provider, and the
 * charge is on disk before the reply ends.
 * @throws Refusal 502 for a reply of another type, or an empty one.
 */
export async function answerBytes(
  reply: ServerReply,
  call: AdmittedCall,
  context: Pick<AnswerContext, "logFault">,
): Promise<Response> {
  const contentType = reply.header("content-type") ?? "application/octet-stream";
  if (!(call.hold.stream ? EVENTS : AUDIO).test(contentType))
    throw failed(call, `It answered with ${contentType} instead of audio`);
  const first = await readFirstBytes(reply, call);
  const meter = call.hold.admission.request.holdsWholeOutput ? new TranscriptMeter() : null;
  const errorFinder = call.hold.stream ? new StreamErrorFinder() : null;
  const { capture, exchange, request } = call.incoming;
  const client = new ReplyClient(capture, request.endpoint !== "audio/speech");
  const bytes = new StreamedBytes(first, reply, { meter, errorFinder }, client, call);
  const relay = new ReplyRelay(bytes, client, call, context);
  call.streamThrough(relay);
  if (call.hold.idempotencyLock)
    relay.outliveClient(new BinaryReplyRecorder(contentType), exchange.clientSignal);
  else call.stopWithClient();
  return new PulledResponse(relay, { headers: call.headers(contentType) });
}

/** The first bytes, so that a reply without any is refused. */
async function readFirstBytes(reply: ServerReply, call: AdmittedCall): Promise<Uint8Array> {
  let first: Uint8Array | null;
  try {
    first = await reply.read();
  } catch (error) {
    throw failed(call, error);
  }
  if (first === null) throw failed(call, "It answered without a body");
  call.connection.noteStreamBegan();
  call.connection.noteProgress();
  call.hold.noteFirstByte();
  return first;
}

function failed({ connection }: AdmittedCall, cause: unknown) {
  const failure = connection.describeFailure(typeof cause === "string" ? providerFailed(cause) : cause);
  connection.noteFailure(failure);
  return failure;
}
