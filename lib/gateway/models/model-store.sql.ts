import type {
  AudioPrice,
  ModelPrice,
  ModelPriceDraft,
  ModelRoute,
  UnitPrice,
} from "@/lib/contract/operations/models/models";
import type { Transaction } from "../changes/transaction";
import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import type { Tables } from "../database/schema";
import type { ModelEntry } from "./model-entry";

/** A model that was added in the console. */
interface StoredModel extends ModelEntry {
  readonly createdAtMs: number;
}

/** A changed price and rate, which override the model's definition. */
export interface StoredPrice {
  readonly model: string;
  readonly rate: string;
  readonly batchRate: string | null;
  /** Exactly one of the two is set. */
  readonly price: ModelPrice | null;
  readonly unitPrice: UnitPrice | null;
  readonly audioPrice: AudioPrice | null;
  readonly updatedAtMs: number;
}

export function createModelStore(reads: Reads) {
  return {
    /** Oldest first. */
    async list(): Promise<StoredModel[]> {
      const rows = await reads.selectFrom("models").selectAll().orderBy("created_at_ms").execute();
      return rows.map(toStored);
    },
    async listPrices(): Promise<StoredPrice[]> {
      const rows = await reads.selectFrom("model_prices").selectAll().execute();
      return rows.map(({ model, rate, batch_rate, updated_at_ms, ...prices }) => {
        const { price = null, unit_price = null, audio_price = null } = readPrices(prices);
        return {
          model,
          rate,
          batchRate: batch_rate,
          price,
          unitPrice: unit_price,
          audioPrice: audio_price,
          updatedAtMs: updated_at_ms,
        };
      });
    },
    async insert(
      transaction: Transaction,
      {
        id,
        family,
        rate,
        batch_rate = null,
        price,
        unit_price,
        audio_price = null,
        max_output_tokens,
        context_window,
        routes,
        createdAtMs,
      }: StoredModel,
    ): Promise<void> {
      const prices = { rate, batch_rate, ...toPriceColumns(price ?? null, unit_price ?? null, audio_price) };
      const values = {
        id,
        family,
        ...prices,
        max_output_tokens: max_output_tokens ?? null,
        context_window: context_window ?? null,
      };
      await within(transaction)
        .insertInto("models")
        .values({ ...values, routes: JSON.stringify(routes), created_at_ms: createdAtMs })
        .execute();
    },
    async savePrice(
      transaction: Transaction,
      { model, rate, batchRate, price, unitPrice, audioPrice, updatedAtMs }: StoredPrice,
    ): Promise<void> {
      const columns = toPriceColumns(price, unitPrice, audioPrice);
      const priceColumns = { rate, batch_rate: batchRate, ...columns, updated_at_ms: updatedAtMs };
      await within(transaction)
        .insertInto("model_prices")
        .values({ model, ...priceColumns })
        .onConflict((row) => row.column("model").doUpdateSet(priceColumns))
        .execute();
    },
  };
}

export type ModelStore = ReturnType<typeof createModelStore>;

function toStored(row: Tables["models"]): StoredModel {
  const { id, family, rate, batch_rate, max_output_tokens } = row;
  const routes = JSON.parse(row.routes) as ModelRoute[];
  return {
    id,
    family,
    rate,
    batch_rate,
    ...readPrices(row),
    ...(max_output_tokens !== null && { max_output_tokens }),
    ...(row.context_window !== null && { context_window: row.context_window }),
    routes,
    createdAtMs: row.created_at_ms,
  };
}

type PriceColumns = Pick<Tables["models"], "input_per_1m" | "output_per_1m" | "unit_price" | "audio_price">;

/** A model with a unit price has no token price. */
function toPriceColumns(
  price: ModelPriceDraft | null,
  unitPrice: UnitPrice | null,
  audioPrice: AudioPrice | null,
): PriceColumns {
  const { input_per_1m, output_per_1m = "0" } = price ?? { input_per_1m: "0" };
  return {
    input_per_1m,
    output_per_1m,
    unit_price: unitPrice && JSON.stringify(unitPrice),
    audio_price: audioPrice && JSON.stringify(audioPrice),
  };
}

function readPrices({
  input_per_1m,
  output_per_1m,
  unit_price,
  audio_price,
}: PriceColumns): Pick<StoredModel, "unit_price" | "audio_price"> & { price?: ModelPrice } {
  if (unit_price !== null) return { unit_price: JSON.parse(unit_price) as UnitPrice };
  const price = { input_per_1m, output_per_1m };
  return audio_price === null ? { price } : { price, audio_price: JSON.parse(audio_price) as AudioPrice };
}
