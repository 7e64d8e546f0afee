import { type Check, countRows, formatCount, limitFaults, queryRows } from "./check";

/** Faults of a batch, each with the SQL that finds it. */
const batchRules: readonly (readonly [what: string, from: string])[] = [
  [
    "is completed, and some of its lines have no result: look at what wrote it",
    "FROM batches WHERE status = 'completed' AND completed + failed <> total",
  ],
  [
    "says that it answered more of its input than there is: look at what wrote it",
    "FROM batches WHERE read_bytes > input_bytes",
  ],
  [
    "has not ended, and the file that it reads is gone: cancel it",
    "FROM batches WHERE ended_at_ms IS NULL AND input_file_id NOT IN (SELECT id FROM files)",
  ],
  [
    "has ended, and is claimed by a process: look at what wrote it",
    "FROM batches WHERE ended_at_ms IS NOT NULL AND claimed_by IS NOT NULL",
  ],
];

/** Compares batches with their lines and files. */
export const batchCheck: Check = {
  title: "I19 a completed batch has a result for each line, and one under way its input",
  run(database) {
    const faults = batchRules.flatMap(([what, from]) =>
      queryRows<{ id: string }>(database, `SELECT id ${from}`).map(({ id }) => `The batch ${id} ${what}.`),
    );
    const summary = `${countRows(database, "FROM batches")} batches, ${countRows(database, "FROM files")} files`;
    return { checked: summary, faults: limitFaults(faults) };
  },
};

const CHARGE = "(SELECT basis FROM ledger_entries WHERE id = 'txn_' || substr(tasks.request_id, 5))";

/** Faults of a task, each with the SQL that finds it. */
const taskRules: readonly (readonly [what: string, from: string])[] = [
  [
    "is under way, and nothing is held for it: restore a backup",
    "FROM tasks WHERE ended_at_ms IS NULL AND id NOT IN (SELECT task_id FROM holds WHERE task_id IS NOT NULL)",
  ],
  [
    "has ended, and its hold is open: look at what wrote it",
    "FROM tasks WHERE ended_at_ms IS NOT NULL AND id IN (SELECT task_id FROM holds WHERE task_id IS NOT NULL)",
  ],
  [
    "succeeded, and is not charged: look at what wrote it",
    `FROM tasks WHERE status = 'succeeded' AND ${CHARGE} IS NULL`,
  ],
  [
    "did not succeed, and is charged as if it had: look at what wrote it",
    `FROM tasks WHERE status IN ('failed', 'canceled') AND ${CHARGE} = 'reported'`,
  ],
  [
    "has ended, and its callback is lost: send the result to its receiver by hand",
    "FROM tasks WHERE ended_at_ms IS NOT NULL AND callback_url IS NOT NULL AND id NOT IN (SELECT task_id FROM task_callbacks)",
  ],
  [
    "still keeps what it was to make, and has ended: delete its input",
    "FROM tasks WHERE ended_at_ms IS NOT NULL AND input IS NOT NULL",
  ],
  [
    "is not sealed: somebody wrote it by hand. Cancel it",
    "FROM tasks WHERE input NOT LIKE 'v1.%' OR callback_url NOT LIKE 'v1.%'",
  ],
];

/** Compares tasks with their holds, charges and callbacks. */
export const taskCheck: Check = {
  title:
    "I21 a task has a hold until it ends, a charge once it succeeded, and a callback where it asked for one",
  run(database) {
    const faults = taskRules.flatMap(([what, from]) =>
      queryRows<{ id: string }>(database, `SELECT id ${from}`).map(({ id }) => `The task ${id} ${what}.`),
    );
    const holds = queryRows<{ request_id: string }>(
      database,
      "SELECT request_id FROM holds WHERE task_id IS NOT NULL AND task_id NOT IN (SELECT id FROM tasks)",
    );
    faults.push(
      ...holds.map(
        ({ request_id }) => `The hold of ${request_id} is of a task that is gone: restore a backup.`,
      ),
    );
    return { checked: formatCount(countRows(database, "FROM tasks"), "task"), faults: limitFaults(faults) };
  },
};
