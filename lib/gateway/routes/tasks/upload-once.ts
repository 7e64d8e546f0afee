import type { Transaction } from "../../changes/transaction";
import type { ClockAndRandom } from "../../clock";
import { hashBody, IDEMPOTENCY_MS, refuseMalformedKey } from "../../idempotency/idempotency";
import { type IdempotencyLocks, idempotencyConflict } from "../../idempotency/idempotency-locks";
import type { IdempotentReplies } from "../../idempotency/idempotent-replies.sql";
import { describeLostReply } from "../create-once";

export interface UploadOnceContext {
  readonly idempotentReplies: IdempotentReplies;
  readonly idempotencyLocks: IdempotencyLocks;
  readonly runtime: Pick<ClockAndRandom, "clock">;
}

/** One upload with an idempotency key. */
interface KeyedUpload {
  readonly key: string;
  readonly callerId: string;
  readonly projectId: string;
  readonly requestId: string;
  readonly clientSignal: AbortSignal;
}

/** What an upload asks once it has arrived, since its file is part of what a repeat must match. */
export interface UploadRepeats<Reply> {
  /** The first upload with this key; null if there is none. @throws Refusal 409 if that was another one. */
  find(fingerprint: unknown): Promise<{ readonly reply: Reply; readonly originalRequest: string } | null>;
  /** Stores the reply for repeats, in the transaction that makes the file visible. */
  keep(transaction: Transaction, fingerprint: unknown, reply: Reply): Promise<void>;
}

/** Runs uploads with the same key one after another. @throws Refusal 400 for a malformed key; 409 as `take` does. */
export async function withUploadKey<Reply, Result>(
  { idempotentReplies, idempotencyLocks, runtime }: UploadOnceContext,
  { key, callerId, projectId, requestId, clientSignal }: KeyedUpload,
  upload: (repeats: UploadRepeats<Reply>) => Promise<Result>,
): Promise<Result> {
  refuseMalformedKey(key);
  const scoped = { scope: callerId, key };
  const identify = (fingerprint: unknown) => ({
    ...scoped,
    bodyHash: hashBody(JSON.stringify(["uploadFile", projectId, fingerprint])),
  });
  const lock = await idempotencyLocks.acquire(identify(null), clientSignal);
  try {
    return await upload({
      async find(fingerprint) {
        const idempotency = identify(fingerprint);
        const stored = await idempotentReplies.find(idempotency, runtime.clock.nowMs() - IDEMPOTENCY_MS);
        if (!stored) return null;
        if (stored.bodyHash !== idempotency.bodyHash || stored.requestId === null)
          throw idempotencyConflict();
        if (stored.reply === null) throw describeLostReply(stored.requestId);
        return { reply: JSON.parse(stored.reply) as Reply, originalRequest: stored.requestId };
      },
      async keep(transaction, fingerprint, reply) {
        const idempotency = identify(fingerprint);
        await idempotentReplies.start(transaction, idempotency, { requestId, atMs: runtime.clock.nowMs() });
        await idempotentReplies.finish(transaction, idempotency, JSON.stringify(reply));
      },
    });
  } finally {
    lock.release();
  }
}
