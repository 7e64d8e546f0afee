import type { RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import type {
  AudioPrice,
  ModelPrice,
  ModelPriceDraft,
  ModelRoute,
  UnitPrice,
} from "@/lib/contract/operations/models/models";
import { type Transaction, within } from "../changes/transactions.sql";
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
    routes: createModelRouteStore(reads),
    limitDefaults: createLimitDefaultStore(reads),
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
    async insert(transaction: Transaction, model: StoredModel): Promise<void> {
      await within(transaction).insertInto("models").values(toRow(model)).execute();
    },
    /** Of a model that was added in the console. */
    async saveProjects(
      transaction: Transaction,
      model: string,
      projects: readonly string[] | null,
    ): Promise<void> {
      await within(transaction)
        .updateTable("models")
        .set({ projects: projects && JSON.stringify(projects) })
        .where("id", "=", model)
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

function toRow({ id, family, rate, batch_rate = null, price, ...model }: StoredModel): Tables["models"] {
  const { unit_price = null, audio_price = null, projects = null, input_modalities: modalities } = model;
  return {
    id,
    family,
    rate,
    batch_rate,
    ...toPriceColumns(price ?? null, unit_price, audio_price),
    max_output_tokens: model.max_output_tokens ?? null,
    context_window: model.context_window ?? null,
    routes: JSON.stringify(model.routes),
    projects: projects && JSON.stringify(projects),
    input_modalities: modalities ? JSON.stringify(modalities) : null,
    created_at_ms: model.createdAtMs,
  };
}

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
    ...(row.input_modalities !== null && {
      input_modalities: JSON.parse(row.input_modalities) as string[],
    }),
    projects: row.projects === null ? null : (JSON.parse(row.projects) as string[]),
    createdAtMs: row.created_at_ms,
  };
}

type PriceColumns = Pick<
  Tables["models"],
  "input_per_1m" | "output_per_1m" | "unit_price" | "audio_price" | "price_classes"
>;

/** A model with a unit price has no token price. */
function toPriceColumns(
  price: ModelPriceDraft | null,
  unitPrice: UnitPrice | null,
  audioPrice: AudioPrice | null,
): PriceColumns {
  return {
    ...toTokenColumns(price ?? { input_per_1m: "0" }),
    unit_price: unitPrice && JSON.stringify(unitPrice),
    audio_price: audioPrice && JSON.stringify(audioPrice),
  };
}

/** The columns of a price by tokens: of input and output, and as JSON what it has beside. */
export function toTokenColumns({ input_per_1m, output_per_1m = "0", ...classes }: ModelPriceDraft) {
  const price_classes = Object.keys(classes).length > 0 ? JSON.stringify(classes) : null;
  return { input_per_1m, output_per_1m, price_classes };
}

export function readTokenPrice(
  input_per_1m: string,
  output_per_1m: string,
  price_classes: string | null,
): ModelPrice {
  const classes = price_classes === null ? {} : (JSON.parse(price_classes) as Partial<ModelPrice>);
  return { input_per_1m, output_per_1m, ...classes };
}

function readPrices({
  input_per_1m,
  output_per_1m,
  unit_price,
  audio_price,
  price_classes,
}: PriceColumns): Pick<StoredModel, "unit_price" | "audio_price"> & { price?: ModelPrice } {
  if (unit_price !== null) return { unit_price: JSON.parse(unit_price) as UnitPrice };
  const price = readTokenPrice(input_per_1m, output_per_1m, price_classes);
  return audio_price === null ? { price } : { price, audio_price: JSON.parse(audio_price) as AudioPrice };
}

/** Changed routes, which override those of the model's definition. */
interface StoredRoutes {
  readonly model: string;
  readonly routes: readonly ModelRoute[];
  readonly updatedAtMs: number;
}

function createModelRouteStore(reads: Reads) {
  return {
    async list(): Promise<StoredRoutes[]> {
      const rows = await reads.selectFrom("model_routes").selectAll().execute();
      return rows.map(({ model, routes, updated_at_ms: updatedAtMs }) => ({
        model,
        routes: JSON.parse(routes) as ModelRoute[],
        updatedAtMs,
      }));
    },
    async save(
      transaction: Transaction,
      { model, routes, updatedAtMs: updated_at_ms }: StoredRoutes,
    ): Promise<void> {
      const columns = { routes: JSON.stringify(routes), updated_at_ms };
      await within(transaction)
        .insertInto("model_routes")
        .values({ model, ...columns })
        .onConflict((row) => row.column("model").doUpdateSet(columns))
        .execute();
    },
    /** Gives a model the routes of its definition again. */
    async delete(transaction: Transaction, model: string): Promise<void> {
      await within(transaction).deleteFrom("model_routes").where("model", "=", model).execute();
    },
  };
}

/** Default limits that were set over those of the file: of a model, or of every model. */
export interface StoredLimitDefaults {
  readonly id: string;
  readonly own: Partial<RateLimitValues>;
}

export function createLimitDefaultStore(reads: Reads) {
  return {
    async list(): Promise<StoredLimitDefaults[]> {
      const rows = await reads.selectFrom("rate_limit_defaults").selectAll().execute();
      return rows.map(({ id, limits }) => ({ id, own: JSON.parse(limits) as Partial<RateLimitValues> }));
    },
    /** Without own limits the row goes. */
    async save(
      transaction: Transaction,
      { id, own }: StoredLimitDefaults,
      updated_at_ms: number,
    ): Promise<void> {
      const queries = within(transaction);
      if (Object.keys(own).length === 0) {
        await queries.deleteFrom("rate_limit_defaults").where("id", "=", id).execute();
        return;
      }
      const columns = { limits: JSON.stringify(own), updated_at_ms };
      await queries
        .insertInto("rate_limit_defaults")
        .values({ id, ...columns })
        .onConflict((row) => row.column("id").doUpdateSet(columns))
        .execute();
    },
  };
}
