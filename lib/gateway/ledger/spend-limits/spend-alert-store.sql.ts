import { within } from "../../changes/transactions.sql";
import type { Database, Reads } from "../../database/database";
import type { Tables } from "../../database/schema";
import { readScope, writeScope } from "../../database/scope-column";
import type { SpendAlertFiring, SpendAlertRecord, SpendAlertStore } from "./spend-alert-store";

export function createSqliteSpendAlertStore(reads: Reads): SpendAlertStore {
  return {
    async list() {
      const rows = await reads.selectFrom("spend_alerts").selectAll().orderBy("id").execute();
      return rows.map(toRecord);
    },
    async find(id) {
      const row = await reads.selectFrom("spend_alerts").selectAll().where("id", "=", id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    async lastFiring({ id, thresholdCents }) {
      const row = await selectLastFirings(reads)
        .where("firing.alert_id", "=", id)
        .where("firing.threshold_cents", "=", thresholdCents)
        .executeTakeFirst();
      return row ? toFiring(row) : null;
    },
    async save(transaction, { id, scope, thresholdCents, recipients, subjectPrefix, createdAtMs }) {
      const values = {
        scope: writeScope(scope),
        threshold_cents: thresholdCents,
        recipients: JSON.stringify(recipients),
        subject_prefix: subjectPrefix,
        created_at_ms: createdAtMs,
      };
      await within(transaction)
        .insertInto("spend_alerts")
        .values({ id, ...values })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(values))
        .execute();
    },
    async delete(transaction, id) {
      await within(transaction).deleteFrom("spend_alerts").where("id", "=", id).execute();
    },
    saveMessage: (transaction, id, message, dueAtMs) =>
      saveMessage(within(transaction), id, message, dueAtMs),
    async insertFiring(transaction, firing, message) {
      const { id, alertId, scope, thresholdCents, spent, monthStartMs, firedAtMs } = firing;
      const { numInsertedOrUpdatedRows } = await within(transaction)
        .insertInto("spend_alert_firings")
        .values({
          id,
          alert_id: alertId,
          scope: writeScope(scope),
          threshold_cents: thresholdCents,
          spent,
          month_start_ms: monthStartMs,
          fired_at_ms: firedAtMs,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows !== 1n) return;
      // The change log tells other processes, since firings are not set by administrators and so not audited.
      const fired = {
        object: "spend_alerts",
        id: alertId,
        subject_id: null,
        project_id: scope,
        before: null,
      };
      await within(transaction)
        .insertInto("audit_pending")
        .values({ ...fired, after: JSON.stringify({ id: alertId }) })
        .execute();
      if (message !== null) await saveMessage(within(transaction), id, message, firedAtMs);
    },
  };
}

async function saveMessage(queries: Database, id: string, body: string, dueAtMs: number): Promise<void> {
  const untried = {
    body,
    status: "pending",
    tries: 0,
    tried_at_ms: null,
    due_at_ms: dueAtMs,
    failure: null,
    // A try that is under way must not save its outcome over this.
    claimed_by: null,
    claimed_until_ms: null,
  } as const;
  await queries
    .insertInto("alert_deliveries")
    .values({ id, ...untried })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(untried))
    .execute();
}

/** Selects the firing of the last month in which each alert and threshold fired. */
function selectLastFirings(reads: Reads) {
  return reads
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
    scope: readScope(row.scope),
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
