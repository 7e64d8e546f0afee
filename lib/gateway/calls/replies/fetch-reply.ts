import { GatheredPieces, joinPieces } from "../../http/body-reader";
import { isBlank } from "../../http/json";
import type { ServerReply } from "../../http/outbound/server-reply";
import type { ProviderRequest } from "../../providers/provider-client";
import type { ConnectionWatcher, ProviderConnection } from "../../providers/provider-connection";
import {
  findMisconfiguredStatus,
  MAX_ERROR_BYTES,
  providerAnsweredOddly,
  readReplyRefusal,
} from "../../providers/provider-failure";
import { FieldRefusal, type RefusedField } from "../../providers/refused-fields";
import { Refusal } from "../../refusal";

/**
 * Fewer bytes don't count as progress, unless they are the first, or blanks, which providers send to keep a connection
 * open.
 */
const PROGRESS_BYTES = 1024;

interface SentCall {
  readonly request: ProviderRequest;
  /** Resolves once the provider is known to accept connections; null where it has answered lately. */
  readonly reaching: Promise<void> | null;
  readonly watcher: ConnectionWatcher;
  /** The field of the gateway that a refusal of the request names; null for none. */
  findRefusedField(words: string): RefusedField | null;
}

/**
 * Sends a request and waits for a reply of 200 or its like.
 * @throws Refusal for any other status, a `FieldRefusal` for a field of the gateway; and the connection's own errors.
 */
export async function fetchReply(
  connection: ProviderConnection,
  { request, reaching, watcher, findRefusedField }: SentCall,
): Promise<ServerReply> {
  const { link, route } = connection;
  let reply: ServerReply;
  try {
    if (reaching) {
      await reaching;
      connection.noteReached();
    }
    reply = await connection.send(request, watcher);
  } catch (error) {
    const failure = connection.describeFailure(error);
    connection.noteFailure(failure);
    throw failure;
  }
  connection.noteAnswered(reply);
  if (reply.status >= 200 && reply.status < 300) {
    link.misconfigurations.forget(route.model);
    return reply;
  }
  const error = await readBounded(reply, MAX_ERROR_BYTES).catch(() => []);
  const text = new TextDecoder().decode(joinPieces(error));
  const refusal = readReplyRefusal(reply, text, link.clock.nowMs(), connection.client);
  const misconfigured = findMisconfiguredStatus(refusal);
  if (misconfigured) link.misconfigurations.note(route.model, misconfigured);
  link.keys.noteRefusal(connection.key, route.model, refusal);
  const isProvidersFault = reply.status >= 500;
  connection.noteFailure(refusal, { isProvidersFault });
  if (!isProvidersFault) connection.noteSuccess();
  const field = reply.status === 400 || reply.status === 422 ? findRefusedField(text) : null;
  throw field ? new FieldRefusal(refusal, field) : refusal;
}

/** Observes a reply while it is read. */
export interface ReplyWatcher {
  progress(): void;
  /**
   * Null where there is memory for this many bytes; otherwise resolves once there is.
   * @throws Refusal 503 after too long a wait.
   */
  makeRoom(bytes: number): Promise<void> | null;
}

/** Reads a whole body; a long one in blocks. @throws Refusal 502 beyond `limit` bytes. */
export async function readBounded(
  reply: ServerReply,
  limit: number,
  watched?: ReplyWatcher,
): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  if (reply.contentLength !== null && reply.contentLength > limit) throw tooLong(limit);
  const gathered = new GatheredPieces();
  let progressAt = 0;
  for (;;) {
    const next = reply.read();
    const piece = next instanceof Promise ? await next : next;
    if (piece === null) return gathered.end();
    const size = gathered.bytes + piece.byteLength;
    if (gathered.bytes === 0 || size - progressAt >= PROGRESS_BYTES || piece.every(isBlank)) {
      progressAt = size;
      watched?.progress();
    }
    if (size > limit) throw tooLong(limit);
    const makingRoom = watched?.makeRoom(size);
    if (makingRoom) await makingRoom;
    gathered.add(piece);
  }
}

function tooLong(limit: number): Refusal {
  return providerAnsweredOddly(`The provider sent more than ${limit} bytes`);
}

export function describeReason(failure: unknown): string {
  return failure instanceof Refusal ? String(failure.cause ?? failure.message) : String(failure);
}
