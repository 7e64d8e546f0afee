import { DAY_MS } from "@/lib/contract/durations";
import { type Check, countOf, listed, rowsOf } from "./check";
import { counted } from "./counted";

const KEPT_DAYS = 180;
const MAX_KEPT = 100;
const ANSWERS_KEPT_DAYS = 30;
/** Retention runs once a minute and at each start, so overdue rows are at most this old. */
const LATE_DAYS = 1;

/** Checks saved playground conversations, and the stored replies of calls that continued without their client. */
export const conversationCheck: Check = {
  title: "I17 conversations are sealed, at most 100 of a person, and none is older than 180 days",
  run(database, nowMs) {
    const unsealed = rowsOf<{ id: string }>(
      database,
      `SELECT id FROM conversations WHERE sealed_title NOT LIKE 'v1.%' OR sealed_content NOT LIKE 'v1.%'`,
    );
    const many = rowsOf<{ owner_id: string; kept: bigint }>(
      database,
      `SELECT owner_id, count(*) AS kept FROM conversations GROUP BY owner_id HAVING kept > ${MAX_KEPT}`,
    );
    const old = countOf(
      database,
      `FROM conversations WHERE updated_at_ms < ${nowMs - (KEPT_DAYS + LATE_DAYS) * DAY_MS}`,
    );
    const bare = countOf(database, "FROM conversation_answer_parts WHERE sealed_text NOT LIKE 'v1.%'");
    const oldAnswers = countOf(
      database,
      `FROM conversation_answers WHERE updated_at_ms < ${nowMs - (ANSWERS_KEPT_DAYS + LATE_DAYS) * DAY_MS}`,
    );
    return {
      checked: counted(countOf(database, "FROM conversations"), "conversation"),
      faults: listed([
        ...unsealed.map(
          ({ id }) => `The conversation ${id} is not sealed: somebody wrote it by hand. Delete it.`,
        ),
        ...many.map(
          ({ owner_id, kept }) =>
            `${kept} conversations of ${owner_id} are kept: the next that it saves cuts them.`,
        ),
        ...(Number(old) > 0
          ? [`${old} conversations are older than ${KEPT_DAYS} days: start the gateway, which deletes them.`]
          : []),
        ...(Number(bare) > 0
          ? [
              `${bare} parts of conversation_answers are not sealed: somebody wrote them by hand. Delete them.`,
            ]
          : []),
        ...(Number(oldAnswers) > 0
          ? [
              `${oldAnswers} kept answers are older than ${ANSWERS_KEPT_DAYS} days: start the gateway, which deletes them.`,
            ]
          : []),
      ]),
    };
  },
};
