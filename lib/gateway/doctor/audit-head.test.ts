import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  type AuditHead,
  buildEventId,
  FIRST_HASH,
  formatAuditHead,
  hashEvent,
  parseAuditHead,
} from "../changes/audit/audit-chain.sql";
import type { AuditRow } from "../changes/audit/audit-event";
import { createAuditLogReader } from "../changes/audit/audit-log-reader.sql";
import { openTemporarySqlite } from "../database/testing/open-temporary-database";
import { examine } from "./examine-outputs";

/** A log of five events, and the head after each of them. */
async function openLog() {
  const temporary = await openTemporarySqlite();
  const log = createAuditLogReader(temporary.reads);
  const heads: AuditHead[] = [];
  for (const name of ["One", "Two", "Three", "Four", "Five"]) {
    const project = { id: `proj_${name}`, name, created_at_ms: 1 };
    await temporary.write((queries) => queries.insertInto("projects").values(project).execute());
    heads.push((await log.head()).head);
  }
  return { ...temporary, heads };
}

const auditFinding = (path: string, knownHead?: AuditHead) =>
  examine(path, 1, knownHead).find(({ title }) => title.startsWith("I8"));

/** An attacker who can write to the file and knows how events are chained. */
function forge(path: string, change: (sqlite: Database) => void): void {
  using sqlite = new Database(path);
  const guards = sqlite
    .query<{ name: string; sql: string }, []>(
      "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit_logs'",
    )
    .all();
  for (const { name } of guards) sqlite.run(`DROP TRIGGER ${name}`);
  change(sqlite);
  let previous = FIRST_HASH;
  for (const row of sqlite.query<AuditRow, []>("SELECT * FROM audit_logs ORDER BY seq").all()) {
    const hash = hashEvent(previous, row);
    sqlite.run("UPDATE audit_logs SET hash = ?, id = ? WHERE seq = ?", [
      hash,
      buildEventId(row.at_ms, hash),
      row.seq,
    ]);
    previous = hash;
  }
  for (const { sql } of guards) sqlite.run(sql);
}

test("every exported head leads to the current log", async () => {
  await using log = await openLog();
  const last = log.heads.at(-1);
  for (const head of log.heads) {
    const checked = `5 events, head ${formatAuditHead(last as AuditHead)}, which follows ${formatAuditHead(head)}`;
    expect(auditFinding(log.path, head)).toMatchObject({ checked, faults: [] });
  }
});

test("a log that was rewritten with a new chain verifies by itself, but not against an earlier head", async () => {
  await using log = await openLog();
  forge(log.path, (sqlite) => {
    sqlite.run("UPDATE audit_logs SET changes = replace(changes, 'Three', 'Other') WHERE seq = 3");
  });
  expect(auditFinding(log.path)?.faults).toEqual([]);
  const faults = log.heads.map((head) => auditFinding(log.path, head)?.faults);
  expect(faults.slice(0, 2)).toEqual([[], []]);
  for (const [index, fault] of faults.slice(2).entries()) {
    expect(fault).toEqual([expect.stringContaining(`exported was ${log.heads[index + 2]?.hash}`)]);
  }
});

test("detects that the last events of a log were cut off, by the exported head", async () => {
  await using log = await openLog();
  forge(log.path, (sqlite) => sqlite.run("DELETE FROM audit_logs WHERE seq > 3"));
  expect(auditFinding(log.path)?.faults).toEqual([]);
  expect(auditFinding(log.path, log.heads[2])?.faults).toEqual([]);
  expect(auditFinding(log.path, log.heads[4])?.faults).toEqual([
    expect.stringContaining("Events 4 to 5 are missing"),
  ]);
});

test("a head is accepted only in its printed form", () => {
  const head = { length: 117, hash: "9f".repeat(32) };
  expect(parseAuditHead(` ${formatAuditHead(head)}\n`)).toEqual(head);
  for (const text of [
    "",
    "117",
    `0:${head.hash}`,
    `117:${head.hash}0`,
    `117:${head.hash.toUpperCase()}`,
    "1e2:",
  ]) {
    expect(parseAuditHead(text)).toBeNull();
  }
});
