import { sql } from "kysely";
import { type Nano, toNano } from "@/lib/money/amount";
import { type Transaction, within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { SealBrokenError, seal, unseal } from "../database/seal";
import { Secret } from "../secrets/secret";
import type { Idempotency } from "./idempotency";

/** The stored outcome of an operation with an idempotency key. */
export interface IdempotentReply {
  readonly bodyHash: string;
  /** Null for a payment, which the ledger stores. */
  readonly requestId: string | null;
  /** JSON; null if the gateway stopped before it replied, or if the reply can no longer be decrypted. */
  readonly reply: string | null;
}

/** A charged call, or a task, with an idempotency key. */
export interface IdempotentCharge {
  readonly bodyHash: string;
  readonly requestId: string;
  /** The reply's body as it was sent; null if it broke off or was too long to store. */
  readonly reply: string | null;
  readonly charge: Nano;
}

type ScopedKey = Pick<Idempotency, "scope" | "key">;

/** The replies of operations that create something, by idempotency key. They may contain secrets. */
export type IdempotentReplies = ReturnType<typeof createIdempotentReplies>;

/**
 * Stored replies, sealed with the gateway's secret, since the reply for a new key contains the key. `pruneStore`
 * deletes them together with the idempotency keys of calls.
 */
export function createIdempotentReplies(
  reads: Reads,
  sealing: { key: Uint8Array; random(bytes: number): Uint8Array },
) {
  return {
    /** @returns null if the key was not used after `sinceMs`. */
    async find({ scope, key }: Idempotency, sinceMs: number): Promise<IdempotentReply | null> {
      const row = await reads
        .selectFrom("idempotency_keys")
        .select(["body_hash", "request_id", "reply"])
        .where("scope", "=", scope)
        .where("key", "=", key)
        .where("created_at_ms", ">", sinceMs)
        .executeTakeFirst();
      if (!row) return null;
      const { body_hash: bodyHash, request_id: requestId } = row;
      const isOurs = requestId !== null && row.reply !== null;
      const reply = isOurs ? openReply(row.reply ?? "", { scope, key }, sealing.key) : null;
      return { bodyHash, requestId, reply };
    },
    /** Stores the key before anything is changed. */
    async start(
      transaction: Transaction,
      { scope, key, bodyHash: body_hash }: Idempotency,
      { requestId: request_id, atMs: created_at_ms }: { requestId: string; atMs: number },
    ): Promise<void> {
      const row = { body_hash, request_id, created_at_ms, reply: null };
      await within(transaction)
        .insertInto("idempotency_keys")
        .values({ scope, key, ...row })
        .onConflict((conflict) => conflict.columns(["scope", "key"]).doUpdateSet(row))
        .execute();
    },
    async finish(transaction: Transaction, { scope, key }: Idempotency, reply: string): Promise<void> {
      const sealedReply = sealReply(reply, { scope, key }, sealing);
      await within(transaction)
        .updateTable("idempotency_keys")
        .set({ reply: sealedReply })
        .where("scope", "=", scope)
        .where("key", "=", key)
        .execute();
    },
    /** Deletes a key whose request changed nothing. */
    async forget(transaction: Transaction, { scope, key }: Idempotency): Promise<void> {
      await within(transaction)
        .deleteFrom("idempotency_keys")
        .where("scope", "=", scope)
        .where("key", "=", key)
        .execute();
    },
    /** Whether the request has changed anything, and so has an audit event. */
    async hasChanged(requestId: string): Promise<boolean> {
      const event = await reads
        .selectFrom("audit_logs")
        .select("seq")
        .where("request_id", "=", requestId)
        .limit(1)
        .executeTakeFirst();
      return event !== undefined;
    },
  };
}

export type IdempotentCharges = ReturnType<typeof createIdempotentCharges>;

/** Finds charged calls and tasks by their idempotency keys, which `Funds` stores. */
export function createIdempotentCharges(reads: Reads, secret: Uint8Array) {
  return {
    /** @returns null if no call with this key was charged or made a task, even a failed one, after `sinceMs`. */
    async find({ scope, key }: ScopedKey, sinceMs: number): Promise<IdempotentCharge | null> {
      const row = await reads
        .selectFrom("idempotency_keys")
        .leftJoin("ledger_entries", (join) =>
          join.on("ledger_entries.id", "=", sql<string>`'txn_' || substr(idempotency_keys.request_id, 5)`),
        )
        .leftJoin("tasks", "tasks.request_id", "idempotency_keys.request_id")
        .where(({ or, eb }) => or([eb("ledger_entries.id", "is not", null), eb("tasks.id", "is not", null)]))
        .select([
          "body_hash as bodyHash",
          "idempotency_keys.reply",
          "idempotency_keys.request_id as requestId",
        ])
        .select(sql<string>`cast(coalesce(ledger_entries.amount, 0) as text)`.as("charge"))
        .where("scope", "=", scope)
        .where("key", "=", key)
        .where("idempotency_keys.created_at_ms", ">", sinceMs)
        .executeTakeFirst();
      if (!row) return null;
      const { bodyHash, requestId, charge } = row;
      const reply = row.reply === null ? null : openReply(row.reply, { scope, key }, secret);
      return { bodyHash, requestId: requestId ?? "", reply, charge: toNano(BigInt(charge)) };
    },
    /** The call with this key that is under way, in any process; a task's ends later than its call. */
    async findUnderWay({ scope, key }: ScopedKey): Promise<{ readonly bodyHash: string } | null> {
      const row = await reads
        .selectFrom("idempotency_keys")
        .innerJoin("holds", (join) =>
          join.on("holds.id", "=", sql<string>`'hold_' || substr(idempotency_keys.request_id, 5)`),
        )
        .select("body_hash as bodyHash")
        .where("scope", "=", scope)
        .where("key", "=", key)
        .executeTakeFirst();
      return row ?? null;
    },
  };
}

const SEALED = /^v\d+\./;

/** Seals a reply for repeats, so that it opens only with its idempotency key. */
export function sealReply(
  reply: string,
  idempotency: ScopedKey,
  sealing: { key: Uint8Array; random(bytes: number): Uint8Array },
): string {
  return seal(new Secret(reply), describeSealedReply(idempotency), sealing);
}

/**
 * Null for a reply that was sealed with another secret. A reply from before sealing was introduced is returned
 * unchanged.
 */
function openReply(sealedReply: string, idempotency: ScopedKey, key: Uint8Array): string | null {
  if (!SEALED.test(sealedReply)) return sealedReply;
  try {
    return unseal(sealedReply, describeSealedReply(idempotency), key).reveal();
  } catch (error) {
    if (error instanceof SealBrokenError) return null;
    throw error;
  }
}

function describeSealedReply({ scope, key }: ScopedKey): string {
  return `idempotency ${scope} ${key}`;
}
