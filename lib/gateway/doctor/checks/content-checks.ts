import { DAY_MS } from "@/lib/contract/durations";
import { ANSWER_DAYS, CONVERSATION_DAYS, MAX_CONVERSATIONS } from "../../prompts/conversations/conversations";
import { type Check, countRows, formatCount, limitFaults, queryRows } from "./check";

/** Retention runs once a minute and at each start, so overdue rows are at most this old. */
const LATE_MS = DAY_MS;

/** Stored prompts and answers. */
export const bodyCheck: Check = {
  title: "I16 bodies are sealed, of projects that keep them, and none is older than its project's retention",
  run(database, nowMs) {
    const unsealed = queryRows<{ id: string }>(
      database,
      `SELECT id FROM request_bodies WHERE sealed_metadata NOT LIKE 'v1.%' OR sealed_texts NOT LIKE 'v1.%'
       UNION ALL SELECT id FROM responses WHERE sealed_texts NOT LIKE 'v1.%'
       UNION ALL SELECT response_id FROM response_parts WHERE sealed_text NOT LIKE 'v1.%'
       UNION ALL SELECT response_id FROM response_callbacks WHERE sealed_url NOT LIKE 'v1.%'
       UNION ALL SELECT id FROM response_conversations WHERE sealed_metadata NOT LIKE 'v1.%'
       UNION ALL SELECT id FROM response_conversation_items WHERE sealed_item NOT LIKE 'v1.%'`,
    );
    const unasked = queryRows<{ id: string }>(
      database,
      `SELECT id FROM request_bodies WHERE project_id NOT IN (SELECT project_id FROM body_settings)`,
    );
    const old = queryRows<{ project_id: string; bodies: bigint }>(
      database,
      `SELECT project_id, count(*) AS bodies FROM request_bodies JOIN body_settings USING (project_id)
       WHERE at_ms < ${nowMs - LATE_MS} - retention_days * ${DAY_MS} GROUP BY project_id`,
    );
    return {
      checked: formatCount(countRows(database, "FROM request_bodies"), "body", "bodies"),
      faults: limitFaults([
        ...unsealed.map(({ id }) => `The body of ${id} is not sealed: somebody wrote it by hand. Delete it.`),
        ...unasked.map(({ id }) => `The body of ${id} is of a project that keeps none. Delete it.`),
        ...old.map(
          ({ project_id, bodies }) =>
            `${bodies} bodies of ${project_id} are older than its retention: start the gateway, which deletes them.`,
        ),
      ]),
    };
  },
};

/** Retention runs once a minute and at each start, so overdue rows are at most this old. */
const LATE_DAYS = 1;

/** Checks saved playground conversations, and the stored replies of calls that continued without their client. */
export const conversationCheck: Check = {
  title: `I17 conversations are sealed, at most ${MAX_CONVERSATIONS} of a person, and none is older than ${CONVERSATION_DAYS} days`,
  run(database, nowMs) {
    const unsealed = queryRows<{ id: string }>(
      database,
      `SELECT id FROM conversations WHERE sealed_title NOT LIKE 'v1.%' OR sealed_content NOT LIKE 'v1.%'`,
    );
    const crowdedOwners = queryRows<{ owner_id: string; kept: bigint }>(
      database,
      `SELECT owner_id, count(*) AS kept FROM conversations GROUP BY owner_id HAVING kept > ${MAX_CONVERSATIONS}`,
    );
    const old = countRows(
      database,
      `FROM conversations WHERE updated_at_ms < ${nowMs - (CONVERSATION_DAYS + LATE_DAYS) * DAY_MS}`,
    );
    const bare = countRows(database, "FROM conversation_answer_parts WHERE sealed_text NOT LIKE 'v1.%'");
    const oldAnswers = countRows(
      database,
      `FROM conversation_answers WHERE updated_at_ms < ${nowMs - (ANSWER_DAYS + LATE_DAYS) * DAY_MS}`,
    );
    return {
      checked: formatCount(countRows(database, "FROM conversations"), "conversation"),
      faults: limitFaults([
        ...unsealed.map(
          ({ id }) => `The conversation ${id} is not sealed: somebody wrote it by hand. Delete it.`,
        ),
        ...crowdedOwners.map(
          ({ owner_id, kept }) =>
            `${kept} conversations of ${owner_id} are kept: saving the next one deletes the surplus.`,
        ),
        ...(Number(old) > 0
          ? [
              `${old} conversations are older than ${CONVERSATION_DAYS} days: start the gateway, which deletes them.`,
            ]
          : []),
        ...(Number(bare) > 0
          ? [
              `${bare} parts of conversation_answers are not sealed: somebody wrote them by hand. Delete them.`,
            ]
          : []),
        ...(Number(oldAnswers) > 0
          ? [
              `${oldAnswers} kept answers are older than ${ANSWER_DAYS} days: start the gateway, which deletes them.`,
            ]
          : []),
      ]),
    };
  },
};
