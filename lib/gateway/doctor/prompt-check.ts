import { DAY_MS } from "@/lib/contract/durations";
import { type Check, countOf, listed, rowsOf } from "./check";
import { counted } from "./counted";

const KEPT_DAYS = 180;
const MAX_RUNS = 20;
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
  title:
    "I20 prompts and their runs are sealed, each has its newest version, and no run is older than 180 days",
  run(database, nowMs) {
    const unsealed = rowsOf<{ id: string }>(
      database,
      `SELECT id FROM prompts WHERE sealed_name NOT LIKE 'v1.%' OR sealed_cases NOT LIKE 'v1.%'
       UNION SELECT prompt_id FROM prompt_versions WHERE sealed_content NOT LIKE 'v1.%'
       UNION SELECT prompt_id FROM prompt_runs WHERE sealed_cases NOT LIKE 'v1.%'
       UNION SELECT run_id FROM prompt_results WHERE sealed_result NOT LIKE 'v1.%'`,
    );
    const torn = rowsOf<{ id: string }>(
      database,
      `SELECT id FROM prompts WHERE latest_version IS NOT
         (SELECT max(number) FROM prompt_versions WHERE prompt_id = prompts.id)`,
    );
    const many = rowsOf<{ id: string; kept: bigint }>(
      database,
      `SELECT prompt_id AS id, count(*) AS kept FROM prompt_runs GROUP BY prompt_id HAVING kept > ${MAX_RUNS}`,
    );
    const unsized = rowsOf<{ id: string }>(database, UNSIZED);
    const old = countOf(
      database,
      `FROM prompt_runs WHERE created_at_ms < ${nowMs - (KEPT_DAYS + LATE_DAYS) * DAY_MS}`,
    );
    return {
      checked: `${counted(countOf(database, "FROM prompts"), "prompt")}, ${counted(countOf(database, "FROM prompt_runs"), "run")}`,
      faults: listed([
        ...unsealed.map(
          ({ id }) => `What is stored of ${id} is not sealed: somebody wrote it by hand. Delete it.`,
        ),
        ...torn.map(({ id }) => `The prompt ${id} does not end in its newest version: restore a backup.`),
        ...many.map(({ id, kept }) => `${kept} runs of ${id} are kept: the next that begins cuts them.`),
        ...unsized.map(
          ({ id }) => `The size of the prompt ${id} is not that of its rows: restore a backup, or delete it.`,
        ),
        ...(Number(old) > 0
          ? [`${old} runs are older than ${KEPT_DAYS} days: start the gateway, which deletes them.`]
          : []),
      ]),
    };
  },
};
