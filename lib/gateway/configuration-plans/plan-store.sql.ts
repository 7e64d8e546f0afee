import { DAY_MS } from "@/lib/contract/durations";
import type { AppliedChange, ConfigurationPlan } from "@/lib/contract/operations/configuration/configuration";
import { type Transaction, within } from "../changes/transactions.sql";
import type { ConfigurationFile } from "../configuration/configuration";
import type { Reads } from "../database/database";
import { listById } from "../database/list-pages";
import type { Tables } from "../database/schema";
import type { KeyCreator } from "../keys/key-records";
import type { PagedList } from "../lists/paged-list";
import type { DeclaredObject } from "./section";

/** How long a plan can be applied. */
export const PLAN_MS = 7 * DAY_MS;

export interface PlanRecord {
  readonly id: string;
  readonly createdAtMs: number;
  readonly file: ConfigurationFile;
  readonly changes: ConfigurationPlan["changes"];
  readonly details: Pick<
    ConfigurationPlan,
    "source" | "untried" | "secrets" | "at_start" | "last_applied" | "no_counterpart"
  >;
}

/** A plan that was applied. */
export interface ApplicationRecord {
  readonly id: string;
  readonly planId: string;
  readonly appliedAtMs: number;
  readonly person: KeyCreator;
  readonly changes: readonly AppliedChange[];
  /** What all files until then have declared; null for a CSV, which is no file to go back to. */
  readonly base: readonly DeclaredObject[] | null;
  readonly undoneAtMs: number | null;
}

export type PlanStore = ReturnType<typeof createPlanStore>;

export function createPlanStore(reads: Reads) {
  const applications = () => reads.selectFrom("configuration_applications").selectAll();
  return {
    async findPlan(id: string): Promise<PlanRecord | null> {
      const row = await reads
        .selectFrom("configuration_plans")
        .selectAll()
        .where("id", "=", id)
        .executeTakeFirst();
      return row ? toPlan(row) : null;
    },
    async findApplication(id: string): Promise<ApplicationRecord | null> {
      const row = await applications().where("id", "=", id).executeTakeFirst();
      return row ? toApplication(row) : null;
    },
    /** The application of a plan; null before it is applied. */
    async findApplicationOf(planId: string): Promise<ApplicationRecord | null> {
      const row = await applications().where("plan_id", "=", planId).executeTakeFirst();
      return row ? toApplication(row) : null;
    },
    /** The last one of a file that wasn't undone. */
    async findLast(): Promise<ApplicationRecord | null> {
      const row = await applications()
        .where("undone_at_ms", "is", null)
        .where("base", "<>", "null")
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      return row ? toApplication(row) : null;
    },
    /** The last one first. */
    applicationPages: (): PagedList<ApplicationRecord> =>
      listById(applications(), { id: "id", defaultOrder: "desc" }, toApplication),
    ...writes,
  };
}

const writes = {
  /** Stores a plan, and forgets those that can't be applied any more. */
  async insertPlan(transaction: Transaction, plan: PlanRecord): Promise<void> {
    const queries = within(transaction);
    await queries
      .deleteFrom("configuration_plans")
      .where("created_at_ms", "<", plan.createdAtMs - PLAN_MS)
      .execute();
    await queries
      .insertInto("configuration_plans")
      .values({
        id: plan.id,
        created_at_ms: plan.createdAtMs,
        file: JSON.stringify(plan.file),
        changes: JSON.stringify(plan.changes),
        details: JSON.stringify(plan.details),
      })
      .execute();
  },
  async insertApplication(transaction: Transaction, applied: ApplicationRecord): Promise<void> {
    await within(transaction)
      .insertInto("configuration_applications")
      .values({
        id: applied.id,
        plan_id: applied.planId,
        applied_at_ms: applied.appliedAtMs,
        person: JSON.stringify(applied.person),
        changes: JSON.stringify(applied.changes),
        base: JSON.stringify(applied.base),
        undone_at_ms: applied.undoneAtMs,
      })
      .execute();
  },
  async noteUndone(transaction: Transaction, id: string, atMs: number): Promise<void> {
    await within(transaction)
      .updateTable("configuration_applications")
      .set({ undone_at_ms: atMs })
      .where("id", "=", id)
      .execute();
  },
};

function toPlan(row: Tables["configuration_plans"]): PlanRecord {
  return {
    id: row.id,
    createdAtMs: row.created_at_ms,
    file: JSON.parse(row.file),
    changes: JSON.parse(row.changes),
    // Plans of a version before had no such list.
    details: { no_counterpart: [], ...JSON.parse(row.details) },
  };
}

function toApplication(row: Tables["configuration_applications"]): ApplicationRecord {
  return {
    id: row.id,
    planId: row.plan_id,
    appliedAtMs: row.applied_at_ms,
    person: JSON.parse(row.person),
    changes: JSON.parse(row.changes),
    base: JSON.parse(row.base),
    undoneAtMs: row.undone_at_ms,
  };
}
