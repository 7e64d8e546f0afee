import { sql } from "kysely";
import { type Nano, toNano } from "@/lib/money/amount";
import { type Transaction, within } from "../../changes/transactions.sql";
import type { Reads } from "../../database/database";

/** Failed attempts of a day (UTC) that a provider may bill, although no caller is charged for them. */
export interface UnaccountedCost {
  readonly dayMs: number;
  readonly provider: string;
  /** The model's name at the provider. */
  readonly providerModel: string;
  readonly model: string;
  readonly attempts: number;
  readonly promptTokens: number;
  /** At the route's price or else list price, for an output of the expected length. */
  readonly amount: Nano;
}

export type UnaccountedCostStore = ReturnType<typeof createUnaccountedCostStore>;

export function createUnaccountedCostStore(reads: Reads) {
  return {
    /** Adds to the row of the day, the provider and the models. */
    async add(transaction: Transaction, cost: UnaccountedCost): Promise<void> {
      const { dayMs: day_ms, providerModel: provider_model, promptTokens: prompt_tokens, ...row } = cost;
      await within(transaction)
        .insertInto("unaccounted_costs")
        .values({ ...row, day_ms, provider_model, prompt_tokens })
        .onConflict((conflict) =>
          conflict.columns(["day_ms", "provider", "provider_model", "model"]).doUpdateSet({
            attempts: sql`unaccounted_costs.attempts + excluded.attempts`,
            prompt_tokens: sql`unaccounted_costs.prompt_tokens + excluded.prompt_tokens`,
            amount: sql`unaccounted_costs.amount + excluded.amount`,
          }),
        )
        .execute();
    },
    /** The sums from a day on until another, by provider and models, in their order. */
    async sum(fromMs: number, toMs: number): Promise<Omit<UnaccountedCost, "dayMs">[]> {
      const rows = await reads
        .selectFrom("unaccounted_costs")
        .select([
          "provider",
          "provider_model",
          "model",
          sql<number>`cast(sum(attempts) as integer)`.as("attempts"),
          sql<string>`cast(sum(prompt_tokens) as text)`.as("prompt_tokens"),
          sql<string>`cast(sum(amount) as text)`.as("amount"),
        ])
        .where("day_ms", ">=", fromMs)
        .where("day_ms", "<", toMs)
        .groupBy(["provider", "provider_model", "model"])
        .orderBy("provider")
        .orderBy("provider_model")
        .orderBy("model")
        .execute();
      return rows.map((row) => ({
        provider: row.provider,
        providerModel: row.provider_model,
        model: row.model,
        attempts: row.attempts,
        promptTokens: Number(row.prompt_tokens),
        amount: toNano(BigInt(row.amount)),
      }));
    },
  };
}
