import { type BodyPieces, joinPieces } from "../../http/body-reader";
import type { Exchange } from "../../http/exchange";
import type { ProviderConnection } from "../../providers/provider-connection";
import { ProviderRefusal, readAnswerRefusal } from "../../providers/provider-failure";
import type { OpenHold } from "../holds/open-hold";
import { decodeText } from "../replies/completion-facts";
import { countLeastOutput, estimateOutputUsage } from "../replies/estimate-output-usage";
import type { ReplyShare } from "../replies/reply-memory";
import { type ReadCompletion, type ReplyReader, SYNCHRONOUS_BYTES } from "../replies/reply-reader";
import type { IncomingCall } from "../requests/incoming-call";
import type { CompletionRequest } from "../requests/prepared-request";
import { type ResolvedUsage, resolveUsage, showsCharge } from "../usage/resolve-usage";
import type { ReplyWatcher } from "./fetch-reply";

const ONCE = { once: true };

/** The call whose answer is read. */
interface AnsweredCall {
  readonly connection: ProviderConnection;
  readonly hold: OpenHold;
  readonly incoming: IncomingCall<CompletionRequest>;
}

/** A whole answer: what it costs, and its body, as the provider wrote it but for its usage and its model's name. */
interface WholeAnswer {
  readonly body: BodyPieces;
  readonly used: ResolvedUsage;
}

/**
 * Reads a whole completion. Its `usage` is replaced only where it differs from what is charged, and the name of its
 * model where another was asked for.
 * @throws Refusal 400 or 502 for a reply that is no answer, with the reason that it tells.
 */
export async function readCompletion(
  pieces: BodyPieces,
  call: AnsweredCall,
  replyReader: ReplyReader,
): Promise<WholeAnswer> {
  const completion = await parseCompletion(pieces, call, replyReader);
  const used = findUsage(call, completion);
  const charged = call.hold.coveredPart(used.usage);
  const { endpoint, fields } = call.incoming.request;
  const isShown = showsCharge(completion.reported, charged, endpoint !== "chat/completions");
  const isNamed = completion.model === undefined || completion.model === fields.model;
  const others = { usage: isShown ? null : charged, model: isNamed ? null : fields.model };
  return { used, body: isShown && isNamed ? [completion.bytes] : completion.withOthers(others) };
}

async function parseCompletion(
  pieces: BodyPieces,
  { connection, incoming }: AnsweredCall,
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
export function releaseWithClient(
  share: ReplyShare,
  { clientSignal }: Pick<Exchange, "clientSignal">,
): () => void {
  const release = () => share.release();
  if (clientSignal.aborted) release();
  else clientSignal.addEventListener("abort", release, ONCE);
  return release;
}

function findUsage({ hold, connection }: AnsweredCall, { reported, size }: ReadCompletion): ResolvedUsage {
  const { promptTokens, minPromptTokens = 0, choices } = hold.admission.request;
  const output = estimateOutputUsage(size, hold.admission.maxOutputTokens * choices);
  const minCompletionTokens = connection.link.isTokenPerEvent ? 0 : countLeastOutput(size);
  return resolveUsage(reported, { promptTokens, output, minPromptTokens, minCompletionTokens });
}
