import { DAY_MS } from "@/lib/contract/durations";
import { formatCount } from "../format-count";
import { type Check, countRows, limitFaults, queryRows } from "./check";

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
