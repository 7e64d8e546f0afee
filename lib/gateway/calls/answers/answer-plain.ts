import { type BodyPieces, joinPieces } from "../../http/body-reader";
import type { Exchange } from "../../http/exchange";
import { respondWith } from "../../http/known-response";
import type { ServerReply } from "../../http/outbound/server-reply";
import type { ProviderConnection } from "../../providers/provider-connection";
import { ProviderRefusal, readAnswerRefusal } from "../../providers/provider-failure";
import { decodeText } from "../replies/completion-facts";
import { countLeastOutput, estimateOutputUsage } from "../replies/estimate-output-usage";
import { MAX_REPLY_BYTES, type ReplyShare } from "../replies/reply-memory";
import { type ReadCompletion, type ReplyReader, SYNCHRONOUS_BYTES } from "../replies/reply-reader";
import { ReplyRecorder } from "../replies/reply-recorder";
import { type ResolvedUsage, resolveUsage, showsCharge } from "../usage/resolve-usage";
import type { AdmittedCall, AnswerContext } from "./admitted-call";
import { type ReplyWatcher, readBounded } from "./fetch-reply";

const ONCE = { once: true };
const COMPLETED = { outcome: "completed", status: 200 } as const;

/**
 * Settles a whole completion, then forwards it byte for byte. Its `usage` is replaced only where it differs from what
 * was charged, and the name of its model where another was asked for.
 * @throws Refusal 502, 503 or 504.
 */
export async function answerPlain(
  reply: ServerReply,
  call: AdmittedCall,
  { replyReader }: Pick<AnswerContext, "replyReader">,
): Promise<Response> {
  const { connection, hold, incoming } = call;
  const share = replyReader.memory.newShare();
  try {
    let completion: ReadCompletion;
    try {
      const pieces = await readBounded(reply, MAX_REPLY_BYTES, new WatchedReply(connection, share));
      connection.end();
      share.rest();
      hold.noteFirstByte();
      completion = await readCompletion(pieces, call, replyReader);
    } catch (error) {
      const failure = connection.describeFailure(error);
      connection.noteFailure(failure);
      throw failure;
    }
    connection.noteSuccess();
    const { usage, basis } = findUsage(call, completion);
    const charged = hold.coveredPart(usage);
    const isInputAlone = incoming.request.endpoint !== "chat/completions";
    const isShown = showsCharge(completion.reported, charged, isInputAlone);
    const { model } = incoming.request.fields;
    const isNamed = completion.model === undefined || completion.model === model;
    const others = { usage: isShown ? null : charged, model: isNamed ? null : model };
    const body = isShown && isNamed ? [completion.bytes] : completion.withOthers(others);
    const recorded = hold.idempotencyLock && recordText(body);
    await hold.settle(usage, basis, COMPLETED, recorded);
    incoming.capture?.noteAnswered(body);
    const onTaken = share.bytes === 0 ? undefined : releaseWithClient(share, incoming.exchange);
    return respondWith(body, { headers: call.headers("application/json") }, onTaken);
  } catch (error) {
    share.release();
    throw error;
  }
}

/** @throws Refusal 400 or 502 for a reply that is no answer, with the reason that it tells. */
async function readCompletion(
  pieces: BodyPieces,
  { connection, incoming }: AdmittedCall,
  replyReader: ReplyReader,
): Promise<ReadCompletion> {
  const isShort = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0) <= SYNCHRONOUS_BYTES;
  const { endpoint, embeddingForm } = incoming.request;
  try {
    const reading = replyReader.readCompletion(pieces, endpoint, embeddingForm);
    return reading instanceof Promise ? await reading : reading;
  } catch (error) {
    if (!isShort || !(error instanceof ProviderRefusal)) throw error;
    throw readAnswerRefusal(decodeText(joinPieces(pieces)), connection.link.client, error.cause);
  }
}

/** A reply that is being read: what arrives counts as progress, and a long one needs memory. */
export class WatchedReply implements ReplyWatcher {
  constructor(
    private readonly connection: ProviderConnection,
    private readonly share: ReplyShare,
  ) {}

  progress(): void {
    this.connection.noteProgress();
  }

  makeRoom(bytes: number): Promise<void> | null {
    return bytes > SYNCHRONOUS_BYTES ? this.share.growTo(bytes, this.connection) : null;
  }
}

/**
 * Frees a long reply's memory when its client has it or is gone, and may never read it.
 * @returns what to call once the client has it.
 */
function releaseWithClient(share: ReplyShare, { clientSignal }: Pick<Exchange, "clientSignal">): () => void {
  const release = () => share.release();
  if (clientSignal.aborted) release();
  else clientSignal.addEventListener("abort", release, ONCE);
  return release;
}

function recordText(body: BodyPieces): string | undefined {
  const recorder = new ReplyRecorder();
  for (const piece of body) recorder.add(piece);
  return recorder.text ?? undefined;
}

function findUsage({ hold, connection }: AdmittedCall, { reported, size }: ReadCompletion): ResolvedUsage {
  const { promptTokens, minPromptTokens = 0, choices } = hold.admission.request;
  const output = estimateOutputUsage(size, hold.admission.maxOutputTokens * choices);
  const minCompletionTokens = connection.link.isTokenPerEvent ? 0 : countLeastOutput(size);
  return resolveUsage(reported, { promptTokens, output, minPromptTokens, minCompletionTokens });
}
