import { sql } from "kysely";
import type { Write } from "../../changes/change";
import { within } from "../../changes/transactions.sql";
import { CALLBACK_CLAIM_MS } from "../../claim-times";
import { toUnixSeconds } from "../../clock";
import type { Reads } from "../../database/database";
import { isDue } from "../../database/is-due";
import { unsealOrNull } from "../../database/seal";
import { describeCallback } from "../../log/responses/background-response-store.sql";
import {
  type Busy,
  type CallbackClaims,
  LONGEST_WAIT_MS,
  MAX_CONCURRENT_PER_PROJECT,
} from "./callback-claims";
import { findSecret, MAX_CONCURRENT_PER_RECEIVER, type ProjectCallback } from "./task-callbacks.sql";

/** Claims of the process `owner` on the callbacks of responses of the background that have ended. */
export function createResponseCallbackClaims(
  reads: Reads,
  write: Write,
  { owner, secret }: { readonly owner: string; readonly secret: Uint8Array },
): CallbackClaims<ProjectCallback> {
  return {
    async claimDue(nowMs, limit, busy) {
      // Reads first: usually nothing is due, and a read blocks no writer.
      if (!(await selectDue(reads, owner, nowMs, busy).limit(1).executeTakeFirst())) return [];
      const claimed = await write((transaction) => {
        const queries = within(transaction);
        const due = queries
          .selectFrom(selectDue(queries, owner, nowMs, busy).as("due"))
          .select("response_id")
          .where("receiver_rank", "<=", MAX_CONCURRENT_PER_RECEIVER)
          .where("project_rank", "<=", MAX_CONCURRENT_PER_PROJECT)
          .orderBy("due_at_ms")
          .limit(limit);
        return queries
          .updateTable("response_callbacks")
          .set({ claimed_by: owner, claimed_until_ms: nowMs + CALLBACK_CLAIM_MS })
          .where("response_id", "in", due)
          .returning(["response_id", "project_id", "receiver", "sealed_url", "tries", "ended_at_ms"])
          .execute();
      });
      return Promise.all(
        claimed.map(async ({ response_id: id, project_id: projectId, receiver, tries, ...row }) => ({
          id,
          body: await writeEvent(reads, id, row.ended_at_ms ?? nowMs),
          tries,
          receiver,
          url: unsealOrNull(row.sealed_url, describeCallback(id), secret),
          projectId,
          secret: await findSecret(reads, projectId),
        })),
      );
    },
    async save(id, { status, tries, triedAtMs, dueAtMs }) {
      const { numUpdatedRows } = await write((transaction) =>
        within(transaction)
          .updateTable("response_callbacks")
          .set({ status, tries, due_at_ms: dueAtMs ?? triedAtMs, claimed_by: null, claimed_until_ms: null })
          .where("response_id", "=", id)
          .where("claimed_by", "=", owner)
          .executeTakeFirstOrThrow(),
      );
      return numUpdatedRows > 0n;
    },
    async releaseOthers() {
      await write((transaction) =>
        within(transaction)
          .updateTable("response_callbacks")
          .set({ claimed_by: null, claimed_until_ms: null })
          .where("claimed_by", "<>", owner)
          .execute(),
      );
    },
  };
}

/** The event of a response's end as OpenAI writes it. It is the same on every try. */
async function writeEvent(reads: Reads, id: string, endedAtMs: number): Promise<string> {
  const row = await reads.selectFrom("responses").select("status").where("id", "=", id).executeTakeFirst();
  // One that was deleted in the meantime had ended.
  const type = `response.${row?.status ?? "completed"}`;
  const eventId = id.replace(/^resp_/, "evt_");
  const created_at = toUnixSeconds(endedAtMs);
  return JSON.stringify({ id: eventId, object: "event", created_at, type, data: { id } });
}

/** `receiver_rank` numbers the due callbacks of each receiver, `project_rank` those of each project. */
function selectDue(queries: Reads, owner: string, nowMs: number, { receivers, projects }: Busy) {
  const rankWithin = (column: "receiver" | "project_id") =>
    sql<number>`row_number() OVER (PARTITION BY ${sql.ref(column)} ORDER BY due_at_ms, response_id)`;
  return queries
    .selectFrom("response_callbacks")
    .select(["response_id", "due_at_ms"])
    .select([rankWithin("receiver").as("receiver_rank"), rankWithin("project_id").as("project_rank")])
    .where("status", "=", "pending")
    .where(isDue("due_at_ms", nowMs, LONGEST_WAIT_MS))
    .where("receiver", "not in", [...receivers, ""])
    .where("project_id", "not in", [...projects, ""])
    .where(({ or, eb }) =>
      or([eb("claimed_by", "is", null), eb("claimed_by", "=", owner), eb("claimed_until_ms", "<=", nowMs)]),
    );
}
