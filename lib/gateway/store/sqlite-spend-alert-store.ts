import type { SpendAlertFiring, SpendAlertRecord, SpendAlertStore } from "../balance/spend-alert-store";
import type { Database } from "./database";
import type { Tables } from "./schema";

const ORGANIZATION = "organization";

export function createSqliteSpendAlertStore(database: Database): SpendAlertStore {
  return {
    async list() {
      const rows = await database.selectFrom("spend_alerts").selectAll().orderBy("id").execute();
      return rows.map(toRecord);
    },
    async listLastFirings() {
      const rows = await selectLastFirings(database)
        .innerJoin("spend_alerts as alert", (join) =>
          join
            .onRef("alert.id", "=", "firing.alert_id")
            .onRef("alert.threshold_cents", "=", "firing.threshold_cents"),
        )
        .execute();
      return rows.map(toFiring);
    },
    async lastFiring({ id, thresholdCents }) {
      const row = await selectLastFirings(database)
        .where("firing.alert_id", "=", id)
        .where("firing.threshold_cents", "=", thresholdCents)
        .executeTakeFirst();
      return row ? toFiring(row) : null;
    },
    async save({ id, scope, thresholdCents, recipients, subjectPrefix, createdAtMs }) {
      const values = {
        scope: scope ?? ORGANIZATION,
        threshold_cents: thresholdCents,
        recipients: JSON.stringify(recipients),
        subject_prefix: subjectPrefix,
        created_at_ms: createdAtMs,
      };
      await database
        .insertInto("spend_alerts")
        .values({ id, ...values })
        .onConflict((stored) => stored.column("id").doUpdateSet(values))
        .execute();
    },
    async delete(id) {
      await database.deleteFrom("spend_alerts").where("id", "=", id).execute();
    },
    saveMessage: (id, message, dueAtMs) => saveMessage(database, id, message, dueAtMs),
    async insertFiring({ id, alertId, scope, thresholdCents, spent, monthStartMs, firedAtMs }, message) {
      await database.transaction().execute(async (transaction) => {
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto("spend_alert_firings")
          .values({
            id,
            alert_id: alertId,
            scope: scope ?? ORGANIZATION,
            threshold_cents: thresholdCents,
            spent,
            month_start_ms: monthStartMs,
            fired_at_ms: firedAtMs,
          })
          .onConflict((stored) => stored.doNothing())
          .executeTakeFirst();
        if (message === null || numInsertedOrUpdatedRows !== 1n) return;
        await saveMessage(transaction, id, message, firedAtMs);
      });
    },
  };
}

async function saveMessage(database: Database, id: string, body: string, dueAtMs: number): Promise<void> {
  const untried = {
    body,
    status: "pending",
    tries: 0,
    tried_at_ms: null,
    due_at_ms: dueAtMs,
    failure: null,
  } as const;
  await database
    .insertInto("alert_deliveries")
    .values({ id, ...untried })
    .onConflict((stored) => stored.column("id").doUpdateSet(untried))
    .execute();
}

/** Of each alert and threshold, the firing of the last month it fired in. */
function selectLastFirings(database: Database) {
  return database
    .selectFrom("spend_alert_firings as firing")
    .select(["firing.alert_id", "firing.threshold_cents"])
    .select((from) => [
      from.fn.max("firing.month_start_ms").as("month_start_ms"),
      from.fn.max("firing.fired_at_ms").as("fired_at_ms"),
    ])
    .groupBy(["firing.alert_id", "firing.threshold_cents"]);
}

function toRecord(row: Tables["spend_alerts"]): SpendAlertRecord {
  return {
    id: row.id,
    scope: row.scope === ORGANIZATION ? null : row.scope,
    thresholdCents: row.threshold_cents,
    recipients: JSON.parse(row.recipients) as string[],
    subjectPrefix: row.subject_prefix,
    createdAtMs: row.created_at_ms,
  };
}

function toFiring(row: Omit<Tables["spend_alert_firings"], "id" | "scope" | "spent">): SpendAlertFiring {
  return {
    alertId: row.alert_id,
    thresholdCents: row.threshold_cents,
    monthStartMs: row.month_start_ms,
    firedAtMs: row.fired_at_ms,
  };
}
