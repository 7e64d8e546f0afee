import type { ModelChange } from "@/lib/contract/operations/models/models";
import { type Transaction, within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { readTokenPrice, toTokenColumns } from "./model-store.sql";

/** A change of a model's prices at a future time. */
export interface ScheduledPrice {
  readonly id: string;
  readonly model: string;
  readonly effectiveAtMs: number;
  readonly change: ModelChange;
  readonly createdAtMs: number;
}

export function createScheduledPriceStore(reads: Reads) {
  return {
    /** Earliest first. */
    async list(): Promise<ScheduledPrice[]> {
      const rows = await reads
        .selectFrom("scheduled_prices")
        .selectAll()
        .orderBy("effective_at_ms")
        .orderBy("id")
        .execute();
      return rows.map((row) => ({
        id: row.id,
        model: row.model,
        effectiveAtMs: row.effective_at_ms,
        change: toChange(row),
        createdAtMs: row.created_at_ms,
      }));
    },
    async insert(
      transaction: Transaction,
      { id, model, effectiveAtMs, change, createdAtMs }: ScheduledPrice,
    ): Promise<void> {
      const { rate = null, batch_rate: batchRate, price, unit_price, audio_price } = change;
      await within(transaction)
        .insertInto("scheduled_prices")
        .values({
          id,
          model,
          effective_at_ms: effectiveAtMs,
          rate,
          batch_rate: batchRate === null ? SAME_AS_LIVE : (batchRate ?? null),
          ...(price ? toTokenColumns(price) : NO_PRICE),
          unit_price: unit_price ? JSON.stringify(unit_price) : null,
          audio_price: audio_price === undefined ? null : JSON.stringify(audio_price),
          created_at_ms: createdAtMs,
        })
        .execute();
    },
    async delete(transaction: Transaction, id: string): Promise<void> {
      await within(transaction).deleteFrom("scheduled_prices").where("id", "=", id).execute();
    },
  };
}

export type ScheduledPriceStore = ReturnType<typeof createScheduledPriceStore>;

/** The column's value for a change that removes the batch rate: null leaves it as it is. */
const SAME_AS_LIVE = "same as live";

const NO_PRICE = { input_per_1m: null, output_per_1m: null, price_classes: null };

interface ChangeColumns {
  readonly rate: string | null;
  readonly batch_rate: string | null;
  readonly input_per_1m: string | null;
  readonly output_per_1m: string | null;
  readonly unit_price: string | null;
  readonly audio_price: string | null;
  readonly price_classes: string | null;
}

function toChange(columns: ChangeColumns): ModelChange {
  const { rate, batch_rate, input_per_1m, output_per_1m, unit_price, audio_price, price_classes } = columns;
  return {
    ...(rate !== null && { rate }),
    ...(batch_rate !== null && { batch_rate: batch_rate === SAME_AS_LIVE ? null : batch_rate }),
    ...(input_per_1m !== null &&
      output_per_1m !== null && { price: readTokenPrice(input_per_1m, output_per_1m, price_classes) }),
    ...(unit_price !== null && { unit_price: JSON.parse(unit_price) as ModelChange["unit_price"] }),
    ...(audio_price !== null && { audio_price: JSON.parse(audio_price) as ModelChange["audio_price"] }),
  };
}
