import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { DAY_MS } from "@/lib/contract/durations";
import { createQueryBuilder } from "../database/database";
import { sumCalls } from "../log/sums/sum-calls.sql";
import { examine } from "./examine-outputs";
import { NOW_MS, openLedger } from "./testing/open-test-ledger";

const faulty = (path: string, nowMs = NOW_MS) =>
  examine(path, nowMs).flatMap(({ title, faults }) => (faults.length > 0 ? [title.split(" ")[0]] : []));

test("a sound ledger has no fault, with a hold open and a charge beyond its hold", async () => {
  await using temporary = await openLedger();
  const findings = examine(temporary.path, NOW_MS);
  expect(findings.flatMap(({ faults }) => faults)).toEqual([]);
  expect(findings.map(({ title }) => title.split(" ")[0])).toEqual([
    "the",
    "references",
    "I1",
    "I2",
    "I5",
    "I6",
    "I7",
    "I22",
    "I18",
    "I11",
    "I3",
    "I4",
    "I9",
    "I13",
    "I14",
    "I8",
    "I12",
    "I10",
    "I15",
    "I24",
    "I16",
    "I17",
    "I21",
    "I19",
    "I20",
  ]);
});

/** Writes a correction past the ledger's writer. */
const correct = (corrects: string, amount: number, project = "proj_1") =>
  `INSERT INTO ledger_entries (kind, id, created_at_ms, reason, corrects, amount, request_id, project_id, key_id, model)
   VALUES ('correction', 'txn_y', 1, 'x', '${corrects}', ${amount}, '${corrects.replace("txn_", "req_")}', '${project}', 'key_1', 'm')`;

const unguarded = [
  "DROP TRIGGER ledger_entries_are_not_changed",
  "DROP TRIGGER ledger_entries_are_not_deleted",
  "PRAGMA ignore_check_constraints = 1",
];

test.each([
  [
    "an account that was changed",
    ["UPDATE accounts SET balance = balance + 1 WHERE name = 'charges'"],
    ["I1", "I7"],
  ],
  ["more held than there is", ["UPDATE holds SET amount = 2000000"], ["I2", "I13"]],
  [
    "an entry that is gone",
    [...unguarded, "DELETE FROM ledger_entries WHERE id = 'txn_a'"],
    ["I5", "I7", "I11", "I15"],
  ],
  [
    "a note that was altered",
    [
      "DROP TRIGGER ledger_entries_are_not_changed",
      "UPDATE ledger_entries SET note = 'x' WHERE id = 'txn_p'",
    ],
    ["I5", "I11", "I12"],
  ],
  ["guards that are gone", ["DROP TRIGGER ledger_entries_are_not_changed"], ["I5"]],
  [
    "a second charge",
    [
      ...unguarded,
      `INSERT INTO ledger_entries (id, kind, amount, created_at_ms, request_id, held, prompt_tokens, completion_tokens,
         input_per_1m, output_per_1m, rate) VALUES ('txn_z', 'charge', 0, 1, 'req_a', 1, 0, 0, 0, 0, 0)`,
      "CREATE TRIGGER ledger_entries_are_not_changed BEFORE UPDATE ON ledger_entries BEGIN SELECT 1; END",
      "CREATE TRIGGER ledger_entries_are_not_deleted BEFORE DELETE ON ledger_entries BEGIN SELECT 1; END",
    ],
    ["I5", "I6", "I11"],
  ],
  ["a correction of more than the charge", [correct("txn_a", 10_001)], ["I7", "I22", "I11", "I12"]],
  ["a correction of no entry", [correct("txn_none", 1)], ["I7", "I22", "I11", "I12"]],
  ["a correction in another project", [correct("txn_a", 1, "proj_2")], ["I7", "I22", "I11", "I12"]],
  ["a correction of what was never the customer's", [correct("txn_bv", 1)], ["I7", "I22", "I11", "I12"]],
  [
    "a hold that is charged and open",
    [
      `INSERT INTO holds (id, owner, request_id, state, amount, project_id, key_id, model, prompt_tokens, max_completion_tokens,
         input_per_1m, output_per_1m, rate, created_at_ms, deadline_at_ms)
       SELECT 'hold_a', owner, 'req_a', state, amount, project_id, key_id, model, 1, 1, 1, 1, 1, created_at_ms, deadline_at_ms
       FROM holds`,
    ],
    ["I3", "I13"],
  ],
  [
    "a held balance that was changed",
    ["UPDATE accounts SET held = held + 1 WHERE name = 'balance'"],
    ["I13"],
  ],
  [
    "money held from another account",
    ["PRAGMA ignore_check_constraints = ON", "UPDATE accounts SET held = 1 WHERE name <> 'balance'"],
    ["I13"],
  ],
  ["a hold whose owner is gone", ["PRAGMA foreign_keys = OFF", "DELETE FROM leases"], ["references", "I14"]],
  [
    "a charge that its usage doesn't make",
    [unguarded[0], "UPDATE ledger_entries SET completion_tokens = 6 WHERE id = 'txn_a'"],
    ["I5", "I11", "I4", "I15"],
  ],
  [
    "a sum of an hour that was changed",
    ["UPDATE call_sums SET amount = amount + 1 WHERE width_ms = 3600000"],
    ["I15"],
  ],
  ["calls that no sum of a minute holds", ["DELETE FROM call_sums WHERE width_ms = 60000"], ["I15"]],
  ["totals that tell other latencies", ["UPDATE call_totals SET durations = ''"], ["I15"]],
  [
    "an audit event that was rewritten",
    [
      "DROP TRIGGER audit_logs_are_not_changed",
      "UPDATE audit_logs SET actor_email = 'somebody@else.example'",
      `CREATE TRIGGER audit_logs_are_not_changed BEFORE UPDATE ON audit_logs
       BEGIN SELECT RAISE(ABORT, 'audit events are immutable'); END`,
    ],
    ["I8"],
  ],
  [
    "a task without its hold, and a callback that is lost",
    [
      `INSERT INTO tasks (id, request_id, project_id, key_id, model, family, status, created_at_ms, deadline_at_ms, due_at_ms)
       VALUES ('task_1', 'req_t', 'p', 'k', 'm', 'image', 'queued', 1, 2, 1)`,
      `INSERT INTO tasks (id, request_id, project_id, key_id, model, family, status, callback_url, created_at_ms, ended_at_ms,
         deadline_at_ms) VALUES ('task_2', 'req_u', 'p', 'k', 'm', 'image', 'failed', 'v1.x', 1, 2, 2)`,
    ],
    ["I21"],
  ],
  [
    "a batch that says it is completed, and one whose input is gone",
    [
      `INSERT INTO batches (id, project_id, key_id, endpoint, model, input_file_id, input_bytes, output_file_id, error_file_id,
         status, total, counted_tokens, created_at_ms, expires_at_ms, ended_at_ms)
       VALUES ('batch_1', 'p', 'k', '/v1/embeddings', 'm', 'file_1', 1, 'file_2', 'file_3', 'completed', 2, 1, 1, 2, 2),
         ('batch_2', 'p', 'k', '/v1/embeddings', 'm', 'file_1', 1, 'file_4', 'file_5', 'in_progress', 2, 1, 1, 2, NULL)`,
    ],
    ["I19"],
  ],
  [
    "a task that succeeded for nothing",
    [
      `INSERT INTO tasks (id, request_id, project_id, key_id, model, family, status, created_at_ms, ended_at_ms, deadline_at_ms)
       VALUES ('task_1', 'req_t', 'p', 'k', 'm', 'image', 'succeeded', 1, 2, 2)`,
    ],
    ["I21"],
  ],
  [
    "more calls than the limit",
    [
      "DROP TRIGGER projects_audit_insert",
      "DROP TRIGGER rate_limits_audit_insert",
      "INSERT INTO projects (id, name, created_at_ms) VALUES ('proj_1', 'One', 1)",
      `INSERT INTO rate_limits (project_id, model, max_requests_per_1_minute, max_tokens_per_1_minute, updated_at_ms)
       VALUES ('proj_1', 'm', 2, 100, 1)`,
    ],
    ["I8", "I12", "I10"],
  ],
] as const)("%s is named", async (_what, statements, expectedFaults) => {
  await using temporary = await openLedger();
  {
    using database = new Database(temporary.path);
    for (const statement of statements) if (statement) database.run(statement);
  }
  expect(faulty(temporary.path)).toEqual([...expectedFaults]);
});

test.each([
  [
    "a sum by model that was changed",
    "UPDATE sums_by_dimension SET amount = amount + 1 WHERE dimension = 'model'",
  ],
  [
    "a sum by key that is gone",
    "DELETE FROM sums_by_dimension WHERE dimension = 'key_id' AND width_ms = 3600000",
  ],
  [
    "a sum of a project without calls",
    "UPDATE sums_by_dimension SET value = 'x' WHERE dimension = 'project_id'",
  ],
  ["latencies by provider that are gone", "DELETE FROM latencies_by_dimension WHERE dimension = 'provider'"],
])("%s is named", async (_what, statement) => {
  await using temporary = await openLedger();
  using database = new Database(temporary.path);
  // After an entry of a later day, the sums by dimension of the first one are computed.
  database.run(
    `INSERT INTO ledger_entries (id, kind, amount, created_at_ms, reference) VALUES ('txn_later', 'payment', 1, ?, 'x')`,
    [NOW_MS + 2 * DAY_MS],
  );
  await sumCalls(createQueryBuilder(database), async () => true);
  const isI24 = (title: string | undefined) => title === "I24";
  expect(faulty(temporary.path).filter(isI24)).toEqual([]);
  database.run(statement);
  expect(faulty(temporary.path).filter(isI24)).toEqual(["I24"]);
});

test("a hold is overdue a moment after its deadline", async () => {
  await using temporary = await openLedger();
  expect(faulty(temporary.path, NOW_MS + 1_000)).toEqual([]);
  expect(faulty(temporary.path, NOW_MS + 1_001)).toEqual(["I9"]);
});
