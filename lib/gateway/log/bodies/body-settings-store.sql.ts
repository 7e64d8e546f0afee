import { within } from "../../changes/transactions.sql";
import type { Reads } from "../../database/database";
import type { Tables } from "../../database/schema";
import type { BodySettings, BodySettingsStore } from "../body-settings";

export function createSqliteBodySettingsStore(reads: Reads): BodySettingsStore {
  return {
    async list() {
      const rows = await reads.selectFrom("body_settings").selectAll().execute();
      return rows.map(toSettings);
    },
    async find(projectId) {
      const row = await reads
        .selectFrom("body_settings")
        .selectAll()
        .where("project_id", "=", projectId)
        .executeTakeFirst();
      return row ? toSettings(row) : null;
    },
    async save(transaction, { projectId: project_id, mode, retentionDays, redactions, setAtMs: set_at_ms }) {
      const values = {
        mode,
        retention_days: retentionDays,
        redactions: JSON.stringify(redactions),
        set_at_ms,
      };
      await within(transaction)
        .insertInto("body_settings")
        .values({ project_id, ...values })
        .onConflict((conflict) => conflict.column("project_id").doUpdateSet(values))
        .execute();
    },
  };
}

function toSettings(row: Tables["body_settings"]): BodySettings {
  return {
    projectId: row.project_id,
    mode: row.mode,
    retentionDays: row.retention_days,
    redactions: JSON.parse(row.redactions) as string[],
    setAtMs: row.set_at_ms,
  };
}
