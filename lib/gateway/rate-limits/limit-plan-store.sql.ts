import { type Transaction, within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { groupBy } from "../lists/group-by";
import type { OwnLimits } from "./rate-limit-store.sql";

/** A named set of limits that projects follow. */
export interface LimitPlan {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
  /** By model; those of every other model under `EVERY_MODEL`. */
  readonly limits: ReadonlyMap<string, OwnLimits>;
}

/** The key of the limits that a plan has for every model: no model's id is empty. */
export const EVERY_MODEL = "";

export type LimitPlanStore = ReturnType<typeof createLimitPlanStore>;

export function createLimitPlanStore(reads: Reads) {
  const select = () => reads.selectFrom("limit_plans").selectAll();
  const selectLimits = () => reads.selectFrom("limit_plan_limits").selectAll();
  return {
    async list(): Promise<LimitPlan[]> {
      const limits = groupBy(await selectLimits().execute(), ({ plan_id }) => plan_id);
      return (await select().orderBy("id").execute()).map((row) => toPlan(row, limits.get(row.id) ?? []));
    },
    async find(id: string): Promise<LimitPlan | null> {
      const row = await select().where("id", "=", id).executeTakeFirst();
      return row ? toPlan(row, await selectLimits().where("plan_id", "=", id).execute()) : null;
    },
    /** The plan of each project that follows one. */
    async listFollowers(): Promise<{ projectId: string; planId: string }[]> {
      const rows = await reads.selectFrom("limit_plan_projects").selectAll().execute();
      return rows.map(({ project_id, plan_id }) => ({ projectId: project_id, planId: plan_id }));
    },
    async findFollowed(projectId: string): Promise<string | null> {
      const row = await reads
        .selectFrom("limit_plan_projects")
        .select("plan_id")
        .where("project_id", "=", projectId)
        .executeTakeFirst();
      return row?.plan_id ?? null;
    },
    async insert(transaction: Transaction, { id, name, createdAtMs }: LimitPlan): Promise<void> {
      await within(transaction)
        .insertInto("limit_plans")
        .values({ id, name, created_at_ms: createdAtMs })
        .execute();
    },
    async rename(transaction: Transaction, id: string, name: string): Promise<void> {
      await within(transaction).updateTable("limit_plans").set({ name }).where("id", "=", id).execute();
    },
    /** Nobody follows it any more. */
    async delete(transaction: Transaction, id: string): Promise<void> {
      await within(transaction).deleteFrom("limit_plan_limits").where("plan_id", "=", id).execute();
      await within(transaction).deleteFrom("limit_plans").where("id", "=", id).execute();
    },
    saveLimits,
    follow,
  };
}

/** Sets what a plan has for a model. Without limits the row goes. */
async function saveLimits(
  transaction: Transaction,
  { planId: plan_id, model, own }: { planId: string; model: string; own: OwnLimits },
  updated_at_ms: number,
): Promise<void> {
  const queries = within(transaction);
  if (Object.keys(own).length === 0) {
    await queries
      .deleteFrom("limit_plan_limits")
      .where("plan_id", "=", plan_id)
      .where("model", "=", model)
      .execute();
    return;
  }
  const columns = { limits: JSON.stringify(own), updated_at_ms };
  await queries
    .insertInto("limit_plan_limits")
    .values({ plan_id, model, ...columns })
    .onConflict((row) => row.columns(["plan_id", "model"]).doUpdateSet(columns))
    .execute();
}

/** Lets a project follow a plan, or none with null. */
async function follow(
  transaction: Transaction,
  { projectId: project_id, planId: plan_id }: { projectId: string; planId: string | null },
  updated_at_ms: number,
): Promise<void> {
  const queries = within(transaction);
  if (plan_id === null) {
    await queries.deleteFrom("limit_plan_projects").where("project_id", "=", project_id).execute();
    return;
  }
  await queries
    .insertInto("limit_plan_projects")
    .values({ project_id, plan_id, updated_at_ms })
    .onConflict((row) => row.column("project_id").doUpdateSet({ plan_id, updated_at_ms }))
    .execute();
}

function toPlan(
  { id, name, created_at_ms }: { id: string; name: string; created_at_ms: number },
  limits: readonly { model: string; limits: string }[],
): LimitPlan {
  const byModel = limits.map(({ model, limits: own }) => [model, JSON.parse(own) as OwnLimits] as const);
  return { id, name, createdAtMs: created_at_ms, limits: new Map(byModel) };
}
