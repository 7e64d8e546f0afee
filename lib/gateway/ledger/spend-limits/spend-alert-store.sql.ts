import { sql } from "kysely";
import { type Nano, toNano } from "@/lib/money/amount";
import { type Transaction, within } from "../../changes/transactions.sql";
import type { Database, Reads } from "../../database/database";
import { readScope, writeScope } from "../../database/fragment";
import { listById } from "../../database/list-pages";
import type { Tables } from "../../database/schema";
import type { PagedList } from "../../lists/paged-list";
import type { Scope } from "../../scope";
import type { SpendLimitRecord } from "./spend-tracker";

export interface SpendAlertRecord {
  readonly id: string;
  readonly scope: Scope;
  readonly thresholdCents: number;
  readonly recipients: readonly string[];
  readonly subjectPrefix: string | null;
  readonly createdAtMs: number;
}

/** One event of a month's cost reaching an alert's threshold. */
export interface SpendAlertFiring {
  readonly alertId: string;
  readonly thresholdCents: number;
  readonly monthStartMs: number;
  readonly firedAtMs: number;
}

/** A stored firing. */
export interface SpendAlertFiringRecord extends SpendAlertFiring {
  readonly id: string;
  readonly scope: Scope;
  /** The cost of the month at that time. */
  readonly spent: Nano;
}

export type SpendAlertStore = ReturnType<typeof createSpendAlertStore>;

export function createSpendAlertStore(reads: Reads) {
  return { ...createAlerts(reads), ...createFirings() };
}

function createAlerts(reads: Reads) {
  return {
    /** Oldest first. */
    async list(): Promise<SpendAlertRecord[]> {
      const rows = await reads.selectFrom("spend_alerts").selectAll().orderBy("id").execute();
      return rows.map(toRecord);
    },
    /** Null if there is none. */
    async find(id: string): Promise<SpendAlertRecord | null> {
      const row = await reads.selectFrom("spend_alerts").selectAll().where("id", "=", id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    /** The last firing of an alert at its present threshold. */
    async lastFiring({ id, thresholdCents }: SpendAlertRecord): Promise<SpendAlertFiring | null> {
      const row = await selectLastFirings(reads)
        .where("firing.alert_id", "=", id)
        .where("firing.threshold_cents", "=", thresholdCents)
        .executeTakeFirst();
      return row ? toFiring(row) : null;
    },
    /** Inserts an alert, or replaces the one with its id. */
    async save(
      transaction: Transaction,
      { id, scope, thresholdCents, recipients, subjectPrefix, createdAtMs }: SpendAlertRecord,
    ): Promise<void> {
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
    async delete(transaction: Transaction, id: string): Promise<void> {
      await within(transaction).deleteFrom("spend_alerts").where("id", "=", id).execute();
    },
  };
}

function createFirings() {
  return {
    /** Queues a firing's callback as if it were new. */
    saveMessage: (transaction: Transaction, id: string, message: string, dueAtMs: number): Promise<void> =>
      saveMessage(within(transaction), id, message, dueAtMs),
    /**
     * Stores a firing and the body (JSON) of its callback, if there is one. A threshold fires once a month, so a repeat
     * changes nothing.
     */
    async insertFiring(
      transaction: Transaction,
      firing: SpendAlertFiringRecord,
      message: string | null,
    ): Promise<void> {
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

/** A firing and the state of its callback; null if it has none. */
export interface FiringWithCallback extends SpendAlertFiringRecord {
  readonly delivery: {
    readonly status: "pending" | "delivered" | "exhausted";
    readonly tries: number;
    readonly triedAtMs: number | null;
    readonly dueAtMs: number | null;
    readonly failure: string | null;
  } | null;
}

/** Which firings to list: those of one scope, or all if it is undefined. */
interface FiringFilter {
  readonly scope?: Scope | undefined;
  readonly monthStartMs?: number | undefined;
}

export type SpendAlertFiringReader = ReturnType<typeof createSpendAlertFiringReader>;

/** The ids of firings sort by time. */
export function createSpendAlertFiringReader(reads: Reads) {
  return {
    async find(id: string): Promise<FiringWithCallback | null> {
      const row = await selectWithCallback(reads).where("firing.id", "=", id).executeTakeFirst();
      return row ? toListed(row) : null;
    },
    /** Oldest first. */
    pages: ({ scope, monthStartMs }: FiringFilter): PagedList<FiringWithCallback> => {
      let query = selectWithCallback(reads);
      if (scope !== undefined) query = query.where("firing.scope", "=", writeScope(scope));
      if (monthStartMs !== undefined) query = query.where("firing.month_start_ms", "=", monthStartMs);
      return listById(query, { id: "firing.id", defaultOrder: "asc" }, toListed);
    },
  };
}

function selectWithCallback(reads: Reads) {
  return reads
    .selectFrom("spend_alert_firings as firing")
    .leftJoin("alert_deliveries as delivery", "delivery.id", "firing.id")
    .select(["firing.id", "alert_id", "scope", "threshold_cents", "month_start_ms", "fired_at_ms"])
    .select(["status", "tries", "tried_at_ms", "due_at_ms", "failure"])
    .select(sql<string>`cast(spent as text)`.as("spent"));
}

type Row = Awaited<ReturnType<ReturnType<typeof selectWithCallback>["execute"]>>[number];

function toListed({ status, tries, tried_at_ms, due_at_ms, failure, ...row }: Row): FiringWithCallback {
  return {
    id: row.id,
    alertId: row.alert_id,
    scope: readScope(row.scope),
    thresholdCents: row.threshold_cents,
    spent: toNano(BigInt(row.spent)),
    monthStartMs: row.month_start_ms,
    firedAtMs: row.fired_at_ms,
    delivery:
      status === null
        ? null
        : { status, tries: tries ?? 0, triedAtMs: tried_at_ms, dueAtMs: due_at_ms, failure },
  };
}

export type SpendLimitStore = ReturnType<typeof createSpendLimitStore>;

export function createSpendLimitStore(reads: Reads) {
  return {
    async list(): Promise<SpendLimitRecord[]> {
      const rows = await reads
        .selectFrom("spend_limits")
        .select(["scope", sql<string>`cast(amount as text)`.as("amount")])
        .execute();
      return rows.map(({ scope, amount }) => ({
        scope: readScope(scope),
        limit: toNano(BigInt(amount)),
      }));
    },
    /** Null if there is none. */
    async find(scope: Scope): Promise<Nano | null> {
      const row = await reads
        .selectFrom("spend_limits")
        .select(sql<string>`cast(amount as text)`.as("amount"))
        .where("scope", "=", writeScope(scope))
        .executeTakeFirst();
      return row ? toNano(BigInt(row.amount)) : null;
    },
    async save(
      transaction: Transaction,
      { scope, limit: amount }: SpendLimitRecord,
      updated_at_ms: number,
    ): Promise<void> {
      const values = { amount, updated_at_ms };
      await within(transaction)
        .insertInto("spend_limits")
        .values({ scope: writeScope(scope), ...values })
        .onConflict((conflict) => conflict.column("scope").doUpdateSet(values))
        .execute();
    },
    async delete(transaction: Transaction, scope: Scope): Promise<void> {
      await within(transaction).deleteFrom("spend_limits").where("scope", "=", writeScope(scope)).execute();
    },
  };
}
