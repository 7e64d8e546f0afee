import { type Check, countRows, limitFaults, queryRows } from "./check";

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
