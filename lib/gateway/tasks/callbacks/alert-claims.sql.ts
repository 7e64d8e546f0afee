import type { Write } from "../../changes/change";
import { within } from "../../changes/transactions.sql";
import { CALLBACK_CLAIM_MS } from "../../claim-times";
import type { Reads } from "../../database/database";
import { isDue } from "../../database/is-due";
import { type CallbackClaims, LONGEST_WAIT_MS } from "./callback-claims";

/** Claims of the process `owner` on the messages of fired alerts, each stored with its firing. */
export function createAlertClaims(reads: Reads, write: Write, owner: string): CallbackClaims {
  const dueBy = (queries: Reads, nowMs: number) =>
    queries
      .selectFrom("alert_deliveries")
      .select("id")
      .where("status", "=", "pending")
      .where(isDue("due_at_ms", nowMs, LONGEST_WAIT_MS))
      .where(({ or, eb }) =>
        or([eb("claimed_by", "is", null), eb("claimed_by", "=", owner), eb("claimed_until_ms", "<=", nowMs)]),
      )
      .orderBy("due_at_ms")
      .orderBy("id");
  return {
    async claimDue(nowMs, limit) {
      // Reads first: mostly nothing is due, and a read blocks no writer.
      if (!(await dueBy(reads, nowMs).limit(1).executeTakeFirst())) return [];
      return write((transaction) => {
        const queries = within(transaction);
        return queries
          .updateTable("alert_deliveries")
          .set({ claimed_by: owner, claimed_until_ms: nowMs + CALLBACK_CLAIM_MS })
          .where("id", "in", dueBy(queries, nowMs).limit(limit))
          .returning(["id", "body", "tries"])
          .execute();
      });
    },
    async save(id, { status, tries, triedAtMs, dueAtMs, failure }) {
      const outcome = { status, tries, tried_at_ms: triedAtMs, due_at_ms: dueAtMs, failure };
      const { numUpdatedRows } = await write((transaction) =>
        within(transaction)
          .updateTable("alert_deliveries")
          .set({ ...outcome, claimed_by: null, claimed_until_ms: null })
          .where("id", "=", id)
          .where("claimed_by", "=", owner)
          .executeTakeFirstOrThrow(),
      );
      return numUpdatedRows > 0n;
    },
    async releaseOthers() {
      await write((transaction) =>
        within(transaction)
          .updateTable("alert_deliveries")
          .set({ claimed_by: null, claimed_until_ms: null })
          .where("claimed_by", "<>", owner)
          .execute(),
      );
    },
  };
}
