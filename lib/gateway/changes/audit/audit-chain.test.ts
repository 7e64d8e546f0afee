import { expect, test } from "bun:test";
import { buildEventId, FIRST_HASH, hashEvent } from "./audit-chain.sql";
import type { AuditRow } from "./audit-event";

const row: Omit<AuditRow, "id" | "hash"> = {
  seq: 7,
  at_ms: 1_800_000_000_000,
  type: "role.created",
  project_id: "proj_1",
  request_id: "req_1",
  actor_kind: "session",
  actor_id: "sess_1",
  actor_key_id: "key_1",
  actor_user_id: "user_1",
  actor_email: "ada@example.com",
  actor_ip: "203.0.113.9",
  changes: "[]",
};
const hash = hashEvent(FIRST_HASH, row);

// The hash must cover every column of the database.
test.each(Object.keys(row) as (keyof typeof row)[])(
  "an event's hash covers its %s, changed or taken away",
  (column) => {
    const value = row[column];
    const changedValue = typeof value === "number" ? value + 1 : `${value}x`;
    expect(hashEvent(FIRST_HASH, { ...row, [column]: changedValue })).not.toBe(hash);
    if (typeof value === "string") {
      expect(hashEvent(FIRST_HASH, { ...row, [column]: null })).not.toBe(hash);
      expect(hashEvent(FIRST_HASH, { ...row, [column]: "" })).not.toBe(hash);
    }
  },
);

test("values that change places change the hash; so does the event before, and the id follows from it", () => {
  const swapped = { ...row, project_id: row.request_id, request_id: row.project_id };
  expect(hashEvent(FIRST_HASH, swapped)).not.toBe(hash);
  expect(hashEvent(hash, row)).not.toBe(hash);
  expect(buildEventId(row.at_ms, hashEvent(hash, row))).not.toBe(buildEventId(row.at_ms, hash));
});
