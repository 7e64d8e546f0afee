import type { TokenUsage } from "@/lib/money/charge";
import type { BodyPieces } from "../../http/body-reader";
import type { Exchange } from "../../http/exchange";
import { respondWith } from "../../http/known-response";
import type { ProviderReply } from "../../providers/provider-client";
import { MAX_REPLY_BYTES, type ReplyShare } from "../replies/reply-memory";
import { READ_AT_ONCE_BYTES, type ReadCompletion, type ReplyReader } from "../replies/reply-reader";
import { ReplyRecorder } from "../replies/reply-recorder";
import type { ProviderConnection } from "../upstream/provider-connection";
import type { AdmittedCall, AnswerContext } from "./admitted-call";
import { readBounded } from "./provider-reply";

const BYTES_PER_TOKEN = 4;
const ONCE = { once: true };

/**
 * Settles a whole completion, then forwards it byte for byte. Its `usage` is replaced only where it differs from what was
 * charged.
 * @throws Refusal 502, 503 or 504.
 */
export async function answerPlain(
  reply: ProviderReply,
  call: AdmittedCall,
  { replyReader }: Pick<AnswerContext, "replyReader">,
): Promise<Response> {
  const share = replyReader.memory.newShare();
  try {
    const pieces = await readWhole(reply, call.connection, share);
    call.connection.end();
    share.rest();
    const body = await settleWhole(pieces, call, replyReader);
    releaseWithClient(share, call.incoming.exchange);
    return respondWith(body, { headers: call.headers("application/json") }, share.release);
  } catch (error) {
    share.release();
    throw error;
  }
}

/** @throws Refusal 502, 503 or 504. */
async function readWhole(reply: ProviderReply, connection: ProviderConnection, share: ReplyShare) {
  try {
    return await readBounded(reply, MAX_REPLY_BYTES, {
      progress: () => connection.progress(),
      makeRoom: (bytes) => (bytes > READ_AT_ONCE_BYTES ? share.growTo(bytes, connection) : null),
    });
  } catch (error) {
    const failure = connection.describeFailure(error);
    connection.noteFailure(failure);
    throw failure;
  }
}

/** @returns the reply for the client. */
async function settleWhole(
  pieces: readonly Uint8Array<ArrayBuffer>[],
  call: AdmittedCall,
  replyReader: ReplyReader,
): Promise<BodyPieces> {
  const { hold: open } = call;
  open.firstByteCame();
  let completion: ReadCompletion;
  try {
    const reading = replyReader.readCompletion(pieces, call.incoming.request.endpoint);
    completion = reading instanceof Promise ? await reading : reading;
  } catch (error) {
    call.connection.noteFailure(error);
    throw error;
  }
  call.connection.noteSuccess();
  const { reported } = completion;
  const usage = reported ?? estimateUsage(call, completion);
  const charged = open.coveredPart(usage);
  const body = charged === reported ? [completion.bytes] : completion.withUsage(charged);
  const basis = reported ? "reported" : "estimated";
  await open.settle(
    usage,
    basis,
    { outcome: "completed", status: 200 },
    open.idempotencyLock && recordedText(body),
  );
  call.incoming.capture?.answered(body);
  return body;
}

/** A client that is gone may never read its reply. The signal is made when it is first read, so a short reply doesn't read it. */
function releaseWithClient(share: ReplyShare, exchange: Pick<Exchange, "clientSignal">): void {
  if (share.bytes === 0) return;
  const { clientSignal } = exchange;
  if (clientSignal.aborted) share.release();
  else clientSignal.addEventListener("abort", share.release, ONCE);
}

function recordedText(body: BodyPieces): string | undefined {
  const recorder = new ReplyRecorder();
  for (const piece of body) recorder.add(piece);
  return recorder.text ?? undefined;
}

function estimateUsage({ hold: open }: AdmittedCall, { writtenBytes }: ReadCompletion): TokenUsage {
  const { promptTokens, choices: count } = open.admission.request;
  const most = open.admission.maxOutputTokens * count;
  return { promptTokens, completionTokens: Math.min(Math.ceil(writtenBytes / BYTES_PER_TOKEN), most) };
}
