import { joinPieces } from "../../http/body-reader";
import type { ServerReply } from "../../http/outbound/server-reply";
import type { ProviderConnection } from "../../providers/provider-connection";
import { ProviderRefusal, providerFailed, readAnswerRefusal } from "../../providers/provider-failure";
import { decodeText } from "../replies/completion-facts";
import { MAX_REPLY_BYTES, type ReplyShare } from "../replies/reply-memory";
import { type ReplyReader, SYNCHRONOUS_BYTES } from "../replies/reply-reader";
import { beginsEvents } from "../replies/whole-reply";
import { readBounded } from "./fetch-reply";
import { WatchedReply } from "./whole-completion";

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
): Promise<EventSource> {
  const share = replyReader.memory.newShare();
  try {
    const first = await readStart(reply);
    const source: ServerReply = putBack(first, reply);
    if (beginsEvents(first)) return { read: () => source.read() };
    const start = decodeText(first).trimStart();
    const type = reply.header("content-type");
    const cause = `The provider answered with ${type ?? "no type"} instead of an event stream`;
    if (!start.startsWith("{")) throw readAnswerRefusal(start, connection.link.client, cause);
    const pieces = await readBounded(source, MAX_REPLY_BYTES, new WatchedReply(connection, share));
    const isShort = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0) <= SYNCHRONOUS_BYTES;
    share.rest();
    let events: Uint8Array<ArrayBuffer> | null;
    try {
      events = await replyReader.writeEvents(pieces);
    } catch (error) {
      if (!isShort || !(error instanceof ProviderRefusal)) throw error;
      throw readAnswerRefusal(decodeText(joinPieces(pieces)), connection.link.client, error.cause);
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
    if (piece === null && length === 0) throw providerFailed("The provider answered without a body");
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
