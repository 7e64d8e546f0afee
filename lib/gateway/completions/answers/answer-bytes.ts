import { PulledResponse } from "../../http/pulled-response";
import type { ProviderReply } from "../../providers/provider-client";
import { providerFailed } from "../upstream/provider-failure";
import { ByteRelay } from "./byte-relay";
import type { AnswerContext, Completion } from "./completion";

const AUDIO = /^(audio\/|application\/octet-stream\b|application\/ogg\b)/i;
const EVENTS = /^text\/event-stream\b/i;

/**
 * Streams bytes as the provider makes them, such as speech. A client that doesn't read pauses the provider, and the
 * charge is on disk before the reply ends.
 * @throws Refusal 502 for a reply of another type, or an empty one.
 */
export async function answerBytes(
  reply: ProviderReply,
  call: Completion,
  context: Pick<AnswerContext, "logFault">,
): Promise<Response> {
  const contentType = reply.header("content-type") ?? "application/octet-stream";
  if (!(call.open.stream ? EVENTS : AUDIO).test(contentType))
    throw failed(call, `It answered with ${contentType} instead of audio`);
  const first = await firstOf(reply, call);
  const relay = new ByteRelay(first, { reply, contentType }, call, context);
  call.relay = relay;
  const { exchange } = call.incoming;
  if (call.open.idempotencyLock) relay.outliveClient(exchange.clientSignal);
  else call.stopWithClient();
  return new PulledResponse(relay, { headers: call.headers(contentType) });
}

/** The first bytes, so that a reply without any is refused. */
async function firstOf(reply: ProviderReply, call: Completion): Promise<Uint8Array> {
  let first: Uint8Array | null;
  try {
    first = await reply.read();
  } catch (error) {
    throw failed(call, error);
  }
  if (first === null) throw failed(call, "It answered without a body");
  call.connection.streamBegan();
  call.connection.progress();
  call.open.firstByteCame();
  return first;
}

function failed({ connection }: Completion, cause: unknown) {
  const failure = connection.failureOf(typeof cause === "string" ? providerFailed(cause) : cause);
  connection.noteFailure(failure);
  return failure;
}
