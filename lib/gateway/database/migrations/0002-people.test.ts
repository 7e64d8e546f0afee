import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import { createQueryBuilder } from "../database";
import { openSqlite } from "../open-sqlite";
import * as foundation from "./0001-foundation";
import * as people from "./0002-people";

test("sessions and roles from before there were members stay as they are", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-migration-"));
  const database = createQueryBuilder(openSqlite(join(folder, "gatehouse.sqlite")));
  const run = (statement: string) => sql.raw(statement).execute(database);
  await foundation.up(database as unknown as Kysely<unknown>);
  await run(`INSERT INTO admin_api_keys VALUES ('key_1', 'Key', 'role_owner', 'hash', 'abcd', 1, NULL)`);
  await run(`INSERT INTO sessions VALUES ('sess_1', 'key_1', 'hash', 2, 3)`);
  await run(`INSERT INTO roles VALUES ('role_1', 'api.organization', 'Support', NULL, '[]', 1)`);
  await people.up(database as unknown as Kysely<unknown>);
  const then = ["id", "admin_api_key_id", "user_id", "hash", "created_at_ms", "expires_at_ms"] as const;
  expect(await database.selectFrom("sessions").select(then).execute()).toEqual([
    {
      id: "sess_1",
      admin_api_key_id: "key_1",
      user_id: null,
      hash: "hash",
      created_at_ms: 2,
      expires_at_ms: 3,
    },
  ]);
  const [role] = await database.selectFrom("roles").selectAll().execute();
  expect(role).toMatchObject({ id: "role_1", name: "Support", project_id: null });
  await database.destroy();
  rmSync(folder, { recursive: true });
});
