import { type ExpressionBuilder, sql } from "kysely";
import { toNano } from "@/lib/money/amount";
import type { FiringFilter, SpendAlertFiringReader, ToldFiring } from "../balance/spend-alert-firing-reader";
import type { Database } from "./database";
import type { Tables } from "./schema";

const ORGANIZATION = "organization";

/** Ids of firings sort as they fired. */
export function createSpendAlertFiringReader(database: Database): SpendAlertFiringReader {
  return {
    async find(id) {
      const row = await select(database).where("firing.id", "=", id).executeTakeFirst();
      return row ? toFiring(row) : null;
    },
    async has(id, filter) {
      const row = await database
        .selectFrom("spend_alert_firings as firing")
        .select("firing.id")
        .where("firing.id", "=", id)
        .where((firing) => firing.and(conditions(firing, filter)))
        .executeTakeFirst();
      return row !== undefined;
    },
    async list({ after, before, order, limit, ...filter }) {
      // The page before a firing is the one that ends at it: read backwards from there, then turn round.
      const isBackwards = before !== undefined && after === undefined;
      const [next, previous] = order === "asc" ? ([">", "<"] as const) : (["<", ">"] as const);
      const rows = await select(database)
        .where((firing) =>
          firing.and([
            ...conditions(firing, filter),
            ...(after === undefined ? [] : [firing("firing.id", next, after)]),
            ...(before === undefined ? [] : [firing("firing.id", previous, before)]),
          ]),
        )
        .orderBy("firing.id", (order === "asc") === isBackwards ? "desc" : "asc")
        .limit(limit)
        .execute();
      return (isBackwards ? rows.toReversed() : rows).map(toFiring);
    },
  };
}

function select(database: Database) {
  return database
    .selectFrom("spend_alert_firings as firing")
    .leftJoin("alert_deliveries as delivery", "delivery.id", "firing.id")
    .select(["firing.id", "alert_id", "scope", "threshold_cents", "month_start_ms", "fired_at_ms"])
    .select(["status", "tries", "tried_at_ms", "due_at_ms", "failure"])
    .select(sql<string>`cast(spent as text)`.as("spent"));
}

type Row = Awaited<ReturnType<ReturnType<typeof select>["execute"]>>[number];
type Firing = ExpressionBuilder<{ firing: Tables["spend_alert_firings"] }, "firing">;

function conditions(firing: Firing, { scope, monthStartMs }: FiringFilter) {
  return [
    ...(scope === undefined ? [] : [firing("firing.scope", "=", scope ?? ORGANIZATION)]),
    ...(monthStartMs === undefined ? [] : [firing("firing.month_start_ms", "=", monthStartMs)]),
  ];
}

function toFiring({ status, tries, tried_at_ms, due_at_ms, failure, ...row }: Row): ToldFiring {
  return {
    id: row.id,
    alertId: row.alert_id,
    scope: row.scope === ORGANIZATION ? null : row.scope,
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
