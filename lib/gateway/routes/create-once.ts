import { type ChangeContext, systemChange, type Work } from "../changes/change";
import type { ClockAndRandom } from "../clock";
import {
  hashBody,
  IDEMPOTENCY_MS,
  type Idempotency,
  type IdempotencyLocks,
  idempotencyConflict,
  refused,
  refuseMalformedKey,
} from "../idempotency/idempotency";
import type { IdempotentReplies, IdempotentReply } from "../idempotency/idempotent-replies.sql";

export interface CreateOnceContext extends ChangeContext {
  readonly idempotentReplies: IdempotentReplies;
  readonly idempotencyLocks: IdempotencyLocks;
  readonly runtime: ClockAndRandom;
  readonly logFault: (where: string, error: unknown) => void;
}

/** One request that creates something. */
interface Creation {
  /** The header `Idempotency-Key`. */
  readonly key: string | null;
  /** The calling key or session. A stored reply is replayed to this caller only. */
  readonly callerId: string;
  /** Operation, path and body, which a repeat must match. */
  readonly fingerprint: unknown;
  readonly requestId: string;
  readonly clientSignal: AbortSignal;
  readonly create: () => Promise<unknown>;
}

/** A reply, and the id of the original request if it is a replay. */
interface CreationReply {
  readonly reply: unknown;
  readonly originalRequest: string | null;
}

/**
 * Creates once per idempotency key: a repeat within 24 hours waits for the first request and gets its reply. A request
 * that changed nothing isn't remembered.
 * @throws Refusal 409 for a key that was used for another request, or whose reply was lost when the gateway ended.
 */
export async function createOnce(context: CreateOnceContext, creation: Creation): Promise<CreationReply> {
  const { key, callerId, fingerprint, create } = creation;
  if (key === null) return { reply: await create(), originalRequest: null };
  refuseMalformedKey(key);
  const idempotency = { scope: callerId, key, bodyHash: hashBody(JSON.stringify(fingerprint)) };
  const lock = await context.idempotencyLocks.acquire(idempotency, creation.clientSignal);
  try {
    const sinceMs = context.runtime.clock.nowMs() - IDEMPOTENCY_MS;
    const storedReply = await context.idempotentReplies.find(idempotency, sinceMs);
    if (storedReply && storedReply.bodyHash !== idempotency.bodyHash) throw idempotencyConflict();
    const replay = storedReply && (await replayReply(context.idempotentReplies, storedReply));
    return replay ?? { reply: await createAndKeep(context, idempotency, creation), originalRequest: null };
  } finally {
    lock.release();
  }
}

/** Null if the gateway stopped before the first request changed anything: the request then runs again. */
async function replayReply(
  idempotentReplies: IdempotentReplies,
  { requestId, reply }: IdempotentReply,
): Promise<CreationReply | null> {
  if (requestId === null) throw idempotencyConflict();
  if (reply !== null) return { reply: JSON.parse(reply), originalRequest: requestId };
  if (await idempotentReplies.hasChanged(requestId)) throw describeLostReply(requestId);
  return null;
}

async function createAndKeep(
  context: CreateOnceContext,
  idempotency: Idempotency,
  { requestId, create }: Creation,
): Promise<unknown> {
  const { idempotentReplies, runtime, logFault } = context;
  const keep = (work: Work<void>) => systemChange(context, "idempotency keys", work);
  const atMs = runtime.clock.nowMs();
  await keep((transaction) => idempotentReplies.start(transaction, idempotency, { requestId, atMs }));
  try {
    const reply = await create();
    // The object was created, so the reply is valid even if it can't be stored.
    await keep((transaction) =>
      idempotentReplies.finish(transaction, idempotency, JSON.stringify(reply)),
    ).catch((error) => logFault("idempotency keys", error));
    return reply;
  } catch (error) {
    if (!(await idempotentReplies.hasChanged(requestId))) {
      await keep((transaction) => idempotentReplies.forget(transaction, idempotency));
    }
    throw error;
  }
}

/** 409: the first request was carried out, and its reply can't be read any more. */
export function describeLostReply(requestId: string) {
  const message = `The first request with this Idempotency-Key, ${requestId}, was carried out, and its reply was lost. Look for what it made, or send a new key to make another.`;
  return refused("idempotency_lost", message, { "x-should-retry": "false", "original-request": requestId });
}
