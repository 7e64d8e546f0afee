import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import type { IdempotentReplies } from "./idempotent-replies";
import { openReply, sealReply } from "./seal-reply";

/**
 * Stored replies, sealed with the gateway's secret, since the reply for a new key contains the key. `pruneStore`
 * deletes them together with the idempotency keys of calls.
 */
export function createSqliteIdempotentReplyStore(
  reads: Reads,
  sealing: { key: Uint8Array; random(bytes: number): Uint8Array },
): IdempotentReplies {
  return {
    async find({ scope, key }, sinceMs) {
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
    async start(
      transaction,
      { scope, key, bodyHash: body_hash },
      { requestId: request_id, atMs: created_at_ms },
    ) {
      const row = { body_hash, request_id, created_at_ms, reply: null };
      await within(transaction)
        .insertInto("idempotency_keys")
        .values({ scope, key, ...row })
        .onConflict((conflict) => conflict.columns(["scope", "key"]).doUpdateSet(row))
        .execute();
    },
    async finish(transaction, { scope, key }, reply) {
      const sealedReply = sealReply(reply, { scope, key }, sealing);
      await within(transaction)
        .updateTable("idempotency_keys")
        .set({ reply: sealedReply })
        .where("scope", "=", scope)
        .where("key", "=", key)
        .execute();
    },
    async forget(transaction, { scope, key }) {
      await within(transaction)
        .deleteFrom("idempotency_keys")
        .where("scope", "=", scope)
        .where("key", "=", key)
        .execute();
    },
    async hasChanged(requestId) {
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
