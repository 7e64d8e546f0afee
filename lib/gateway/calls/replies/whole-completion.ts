import type { ProviderProtocol } from "@/lib/contract/calls/provider-protocols";
import { isObject } from "@/lib/contract/json-value";
import { type BodyPieces, joinPieces } from "../../http/body-reader";
import { EventSplitter, readEventData } from "../../http/event-splitter";
import { parseBounded } from "../../http/json";
import type { ServerReply } from "../../http/outbound/server-reply";
import type { RequestContext } from "../../http/server";
import type { ProviderConnection } from "../../providers/provider-connection";
import {
  ProviderRefusal,
  providerAnsweredOddly,
  providerBrokeOff,
  readAnswerRefusal,
} from "../../providers/provider-failure";
import { ChatChunks, type ChatReply } from "../anthropic/write-chat-reply";
import { describeEvidence, type HeldCall } from "../holds/held-call";
import type { IncomingCall } from "../requests/incoming-call";
import type { CompletionRequest } from "../requests/prepared-request";
import { type ReplyWatcher, readBounded } from "../requests/upstream-request";
import { markSealedPieces } from "../responses/pass-on-response";
import { toResponseId } from "../responses/response-events";
import { listOwnValues } from "../responses/turn";
import {
  countLeastOutput,
  estimateOutputUsage,
  type ResolvedUsage,
  resolveUsage,
  showsCharge,
} from "../usage/resolve-usage";
import { beginsEvents, decodeText, type ReplyKind } from "./completion";
import { MAX_REPLY_BYTES, type ReplyShare, SYNCHRONOUS_BYTES } from "./reply-memory";
import type { ReadCompletion, ReplyReader } from "./reply-reader";

const ONCE = { once: true };

/** The call whose answer is read. */
interface AnsweredCall {
  readonly connection: ProviderConnection;
  readonly hold: HeldCall;
  readonly incoming: IncomingCall<CompletionRequest>;
  readonly kind: ReplyKind;
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
  sent: BodyPieces,
  call: AnsweredCall,
  replyReader: ReplyReader,
): Promise<WholeAnswer> {
  const pieces = call.kind === "responses" ? markSealedPieces(sent, call.connection.link.account) : sent;
  const completion = await parseCompletion(pieces, call, replyReader);
  const used = findUsage(call, completion);
  const charged = call.hold.coveredPart(used.usage);
  const { fields, turn } = call.incoming.request;
  const isInputAlone = call.kind === "embeddings" || call.kind === "moderations";
  const isShown = showsCharge(completion.reported, charged, isInputAlone);
  const isNamed = completion.model === undefined || completion.model === fields.model;
  const own =
    call.kind === "responses"
      ? { id: JSON.stringify(toResponseId(call.hold.requestId)), ...listOwnValues(turn) }
      : null;
  const others = { usage: isShown ? null : charged, model: isNamed ? null : fields.model, own };
  const isAsSent = isShown && isNamed && own === null;
  return { used, body: isAsSent ? [completion.bytes] : completion.withOthers(others) };
}

async function parseCompletion(
  pieces: BodyPieces,
  { connection, incoming, kind }: AnsweredCall,
  replyReader: ReplyReader,
): Promise<ReadCompletion> {
  const isShort = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0) <= SYNCHRONOUS_BYTES;
  const { embeddingForm } = incoming.request;
  try {
    const reading = replyReader.readCompletion(pieces, kind, embeddingForm);
    return reading instanceof Promise ? await reading : reading;
  } catch (error) {
    if (!isShort || !(error instanceof ProviderRefusal)) throw error;
    throw readAnswerRefusal(decodeText(joinPieces(pieces)), connection.client, error.cause);
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
  { clientSignal }: Pick<RequestContext, "clientSignal">,
): () => void {
  const release = () => share.release();
  if (clientSignal.aborted) release();
  else clientSignal.addEventListener("abort", release, ONCE);
  return release;
}

function findUsage({ hold, connection }: AnsweredCall, { reported, size }: ReadCompletion): ResolvedUsage {
  const { request, maxOutputTokens } = hold.admission;
  const output = estimateOutputUsage(size, maxOutputTokens * request.choices);
  const minCompletionTokens = connection.link.isTokenPerEvent ? 0 : countLeastOutput(size);
  return resolveUsage(reported, { ...describeEvidence(request), output, minCompletionTokens });
}

/** By so many bytes that aren't blank it is seen what a reply is. */
const RECOGNIZED_BYTES = 8;

/** A stream of events, and the memory that it takes until its client has it. */
export interface EventSource extends Pick<ServerReply, "read"> {
  readonly share?: ReplyShare;
}

/**
 * Reads a reply to a streamed call that doesn't call itself an event stream as what its first bytes say: as events, or
 * as a whole completion, which becomes events.
 * @throws Refusal 502 or 503 for anything else, or a failure.
 */
export async function readAsEvents(
  reply: ServerReply,
  connection: ProviderConnection,
  replyReader: ReplyReader,
  protocol: ProviderProtocol,
): Promise<EventSource> {
  const share = replyReader.memory.newShare();
  try {
    const first = await readStart(reply);
    const source: ServerReply = putBack(first, reply);
    if (beginsEvents(first)) return { read: () => source.read() };
    const start = decodeText(first).trimStart();
    const type = reply.header("content-type");
    const cause = `The provider answered with ${type ?? "no type"} instead of an event stream`;
    if (!start.startsWith("{")) throw readAnswerRefusal(start, connection.client, cause);
    const pieces = await readBounded(source, MAX_REPLY_BYTES, new WatchedReply(connection, share));
    const isShort = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0) <= SYNCHRONOUS_BYTES;
    share.rest();
    let events: Uint8Array<ArrayBuffer> | null;
    try {
      events = await replyReader.writeEvents(pieces, protocol);
    } catch (error) {
      if (!isShort || !(error instanceof ProviderRefusal)) throw error;
      throw readAnswerRefusal(decodeText(joinPieces(pieces)), connection.client, error.cause);
    }
    const read = () => {
      const all = events;
      events = null;
      return all;
    };
    return { read, share };
  } catch (error) {
    share.release();
    const failure = connection.describeFailure(error);
    connection.noteFailure(failure);
    throw failure;
  }
}

/** The first bytes, up to the first that aren't blank. @throws Refusal 502 for an empty reply. */
async function readStart(reply: ServerReply): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (;;) {
    const piece = await reply.read();
    if (piece !== null) pieces.push(piece);
    const joined = joinPieces(pieces) as Uint8Array<ArrayBuffer>;
    const { length } = decodeText(joined.subarray(0, SYNCHRONOUS_BYTES)).trim();
    if (length >= RECOGNIZED_BYTES || joined.byteLength > SYNCHRONOUS_BYTES) return joined;
    if (piece === null && length === 0) throw providerAnsweredOddly("The provider answered without a body");
    if (piece === null) return joined;
  }
}

function putBack(first: Uint8Array<ArrayBuffer>, reply: ServerReply): ServerReply {
  let start: Uint8Array<ArrayBuffer> | null = first;
  return {
    status: reply.status,
    contentLength: reply.contentLength,
    header: (name) => reply.header(name),
    read: () => {
      const piece = start;
      start = null;
      return piece ?? reply.read();
    },
  };
}

/** A stream of Anthropic's events, read as one of `chat.completion.chunk` events. */
export class TranslatedEvents implements EventSource {
  readonly #splitter = new EventSplitter();
  readonly #chunks: ChatChunks;
  readonly share?: ReplyShare;

  constructor(
    private readonly source: EventSource,
    reply: ChatReply,
  ) {
    this.#chunks = new ChatChunks(reply);
    if (source.share) this.share = source.share;
  }

  /** @throws Refusal 502 for an event that can't be read. */
  async read(): Promise<Uint8Array<ArrayBuffer> | null> {
    for (;;) {
      const piece = await this.source.read();
      const events = piece === null ? [this.#splitter.flush()] : this.#splitter.push(piece);
      if (this.#splitter.restBytes > MAX_REPLY_BYTES)
        throw providerBrokeOff(`It sent an event of more than ${MAX_REPLY_BYTES} bytes`, {
          why: "odd_answer",
        });
      const text = events.map((event) => this.#translate(event)).join("");
      if (text !== "") return new TextEncoder().encode(text);
      if (piece === null) return null;
    }
  }

  #translate(event: Buffer): string {
    const data = readEventData(event)?.trim();
    if (!data) return "";
    try {
      const fields: unknown = event.byteLength > SYNCHRONOUS_BYTES ? parseBounded(data) : JSON.parse(data);
      return isObject(fields) ? this.#chunks.translate(fields) : "";
    } catch {
      throw providerBrokeOff("It sent an event that is no JSON", { why: "odd_answer" });
    }
  }
}
