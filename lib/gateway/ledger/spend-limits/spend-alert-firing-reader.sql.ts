import { sql } from "kysely";
import { toNano } from "@/lib/money/amount";
import type { Reads } from "../../database/database";
import { listById } from "../../database/list-by-id";
import { readScope, writeScope } from "../../database/scope-column";
import type { PagedList } from "../../lists/paged-list";
import type { Scope } from "../../scope";
import type { SpendAlertFiringRecord } from "./spend-alert-store.sql";

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
      const row = await select(reads).where("firing.id", "=", id).executeTakeFirst();
      return row ? toFiring(row) : null;
    },
    /** Oldest first. */
    pages: ({ scope, monthStartMs }: FiringFilter): PagedList<FiringWithCallback> => {
      let query = select(reads);
      if (scope !== undefined) query = query.where("firing.scope", "=", writeScope(scope));
      if (monthStartMs !== undefined) query = query.where("firing.month_start_ms", "=", monthStartMs);
      return listById(query, { id: "firing.id", defaultOrder: "asc" }, toFiring);
    },
  };
}

function select(reads: Reads) {
  return reads
    .selectFrom("spend_alert_firings as firing")
    .leftJoin("alert_deliveries as delivery", "delivery.id", "firing.id")
    .select(["firing.id", "alert_id", "scope", "threshold_cents", "month_start_ms", "fired_at_ms"])
    .select(["status", "tries", "tried_at_ms", "due_at_ms", "failure"])
    .select(sql<string>`cast(spent as text)`.as("spent"));
}

type Row = Awaited<ReturnType<ReturnType<typeof select>["execute"]>>[number];

function toFiring({ status, tries, tried_at_ms, due_at_ms, failure, ...row }: Row): FiringWithCallback {
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
