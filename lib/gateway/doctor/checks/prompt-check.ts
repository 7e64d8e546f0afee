import { DAY_MS } from "@/lib/contract/durations";
import { CONVERSATION_DAYS } from "../../prompts/conversations/conversations";
import { MAX_RUNS } from "../../prompts/prompts";
import { type Check, countRows, formatCount, limitFaults, queryRows } from "./check";

/** Retention runs once a minute and at each start, so overdue rows are at most this old. */
const LATE_DAYS = 1;

const UNSIZED = `SELECT id FROM prompts LEFT JOIN prompt_sizes ON prompt_id = id WHERE bytes IS NOT
  octet_length(sealed_cases)
  + (SELECT coalesce(sum(octet_length(sealed_content)), 0) FROM prompt_versions WHERE prompt_id = prompts.id)
  + (SELECT coalesce(sum(octet_length(sealed_cases)), 0) FROM prompt_runs WHERE prompt_id = prompts.id)
  + (SELECT coalesce(sum(octet_length(sealed_result)), 0) FROM prompt_results
      WHERE run_id IN (SELECT id FROM prompt_runs WHERE prompt_id = prompts.id))`;

/** Checks saved prompts and the results of their runs. */
export const promptCheck: Check = {
  title: `I20 prompts and their runs are sealed, each has its newest version, and no run is older than ${CONVERSATION_DAYS} days`,
  run(database, nowMs) {
    const unsealed = queryRows<{ id: string }>(
      database,
      `SELECT id FROM prompts WHERE sealed_name NOT LIKE 'v1.%' OR sealed_cases NOT LIKE 'v1.%'
       UNION SELECT prompt_id FROM prompt_versions WHERE sealed_content NOT LIKE 'v1.%'
       UNION SELECT prompt_id FROM prompt_runs WHERE sealed_cases NOT LIKE 'v1.%'
       UNION SELECT run_id FROM prompt_results WHERE sealed_result NOT LIKE 'v1.%'`,
    );
    const torn = queryRows<{ id: string }>(
      database,
      `SELECT id FROM prompts WHERE latest_version IS NOT
         (SELECT max(number) FROM prompt_versions WHERE prompt_id = prompts.id)`,
    );
    const crowdedPrompts = queryRows<{ id: string; kept: bigint }>(
      database,
      `SELECT prompt_id AS id, count(*) AS kept FROM prompt_runs GROUP BY prompt_id HAVING kept > ${MAX_RUNS}`,
    );
    const unsized = queryRows<{ id: string }>(database, UNSIZED);
    const old = countRows(
      database,
      `FROM prompt_runs WHERE created_at_ms < ${nowMs - (CONVERSATION_DAYS + LATE_DAYS) * DAY_MS}`,
    );
    return {
      checked: `${formatCount(countRows(database, "FROM prompts"), "prompt")}, ${formatCount(countRows(database, "FROM prompt_runs"), "run")}`,
      faults: limitFaults([
        ...unsealed.map(
          ({ id }) => `What is stored of ${id} is not sealed: somebody wrote it by hand. Delete it.`,
        ),
        ...torn.map(({ id }) => `The prompt ${id} does not end in its newest version: restore a backup.`),
        ...crowdedPrompts.map(
          ({ id, kept }) => `${kept} runs of ${id} are kept: the next that begins cuts them.`,
        ),
        ...unsized.map(
          ({ id }) => `The size of the prompt ${id} is not that of its rows: restore a backup, or delete it.`,
        ),
        ...(Number(old) > 0
          ? [`${old} runs are older than ${CONVERSATION_DAYS} days: start the gateway, which deletes them.`]
          : []),
      ]),
    };
  },
};
