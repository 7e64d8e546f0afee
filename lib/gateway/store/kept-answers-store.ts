import type { KeptAnswers } from "../balance/kept-answers";
import { Secret } from "../ports/secret";
import type { Database } from "./database";
import { SealBrokenError, seal, unseal } from "./seal";

/** Kept replies, sealed with the gateway's secret: a new key's reply carries the key. `prune` of the kept calls forgets them too. */
export function createKeptAnswersStore(
  database: Database,
  sealing: { key: Uint8Array; random(bytes: number): Uint8Array },
): KeptAnswers {
  return {
    async find({ scope, key }, sinceMs) {
      const row = await database
        .selectFrom("idempotency_keys")
        .select(["body_hash", "request_id", "reply"])
        .where("scope", "=", scope)
        .where("key", "=", key)
        .where("created_at_ms", ">", sinceMs)
        .executeTakeFirst();
      if (!row) return null;
      const { body_hash: bodyHash, request_id: requestId } = row;
      const isOurs = requestId !== null && row.reply !== null;
      return { bodyHash, requestId, reply: isOurs ? open(row.reply ?? "", ownerOf(scope, key)) : null };
    },
    async begin({ scope, key, bodyHash: body_hash }, { requestId: request_id, atMs: created_at_ms }) {
      const row = { body_hash, request_id, created_at_ms, reply: null };
      await database
        .insertInto("idempotency_keys")
        .values({ scope, key, ...row })
        .onConflict((conflict) => conflict.columns(["scope", "key"]).doUpdateSet(row))
        .execute();
    },
    async finish({ scope, key }, reply) {
      const sealed = seal(new Secret(reply), ownerOf(scope, key), sealing);
      await database
        .updateTable("idempotency_keys")
        .set({ reply: sealed })
        .where("scope", "=", scope)
        .where("key", "=", key)
        .execute();
    },
    async forget({ scope, key }) {
      await database
        .deleteFrom("idempotency_keys")
        .where("scope", "=", scope)
        .where("key", "=", key)
        .execute();
    },
    async hasChanged(requestId) {
      const event = await database
        .selectFrom("audit_logs")
        .select("seq")
        .where("request_id", "=", requestId)
        .limit(1)
        .executeTakeFirst();
      return event !== undefined;
    },
  };

  /** Null for a reply that was sealed with another secret. */
  function open(sealed: string, owner: string): string | null {
    try {
      return unseal(sealed, owner, sealing.key).reveal();
    } catch (error) {
      if (error instanceof SealBrokenError) return null;
      throw error;
    }
  }
}

function ownerOf(scope: string, key: string): string {
  return `idempotency ${scope} ${key}`;
}
