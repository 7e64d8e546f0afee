import { expect, test } from "bun:test";
import { AuditTrail } from "../../changes/audit/audit-trail.sql";
import { installTriggers } from "../../changes/audit/audited-tables.sql";
import { examine } from "../../doctor/examine";
import { openLedger } from "../../doctor/testing/open-test-ledger";
import { createQueryBuilder } from "../database";
import { openSqlite } from "../open-sqlite";
import { up } from "./0093-open-outputs";

test("a model with the limit that was the default has none, and the log says so", async () => {
  await using temporary = await openLedger();
  {
    using sqlite = openSqlite(temporary.path);
    const database = createQueryBuilder(sqlite);
    const trail = new AuditTrail(sqlite);
    for (const event of ["insert", "update", "delete"]) sqlite.run(`DROP TRIGGER models_audit_${event}`);
    sqlite.run("ALTER TABLE models DROP COLUMN max_output_tokens");
    sqlite.run("ALTER TABLE models ADD COLUMN max_output_tokens INTEGER NOT NULL DEFAULT 0");
    installTriggers(sqlite);
    sqlite.transaction(() => {
      for (const [id, limit] of Object.entries({ unnamed: 16_384, named: 8_192 })) {
        sqlite.run(
          `INSERT INTO models (id, family, rate, input_per_1m, output_per_1m, max_output_tokens, routes, created_at_ms)
           VALUES (?, 'chat', '1', '1', '2', ?, '[]', 1)`,
          [id, limit],
        );
      }
      trail.log(null);
    })();
    sqlite.run("BEGIN");
    await up(database as never);
    trail.log(null);
    sqlite.run("COMMIT");
    installTriggers(sqlite);
    const rows = sqlite.query("SELECT id, max_output_tokens FROM models ORDER BY id").all();
    expect(rows).toEqual([
      { id: "named", max_output_tokens: 8_192 },
      { id: "unnamed", max_output_tokens: null },
    ]);
  }
  expect(examine(temporary.path, 1_800_000_000_000).flatMap(({ faults }) => faults)).toEqual([]);
});
