import type { AuditChange } from "@/components/audit-log/describe-changes";
import { NOT_RESTORABLE, type RestoreMethod, type Row } from "./revert-plan";

const PRICES = [
  "rate",
  "batch_rate",
  "input_per_1m",
  "output_per_1m",
  "unit_price",
  "audio_price",
  "price_classes",
];

/** How prices, scheduled prices and allowed models are restored. */
export function modelRestoreMethods({
  id,
  project_id,
  before,
  after,
}: Pick<AuditChange, "id" | "project_id" | "before" | "after">): Readonly<
  Record<string, () => RestoreMethod>
> {
  const project = project_id ?? "";
  return {
    model_permissions: () => ({
      operation: "saveModelPermissions",
      params: { project_id: project },
      columns: ["mode", "model_ids"],
      otherwise: NOT_RESTORABLE,
      body: (back, { mode, model_ids }) => readPermissions({ mode, model_ids, ...back }),
      toColumns: (now) => now,
      remove: { operation: "deleteModelPermissions" },
      remake: { body: readPermissions },
    }),
    model_prices: () => ({
      operation: "changeOrganizationModel",
      params: { model_id: id },
      columns: PRICES,
      otherwise: NOT_RESTORABLE,
      body: readPrices,
      toColumns: ({ rate, batch_rate, price, unit_price, audio_price }) => ({
        rate,
        batch_rate,
        unit_price,
        audio_price,
        ...toTokenColumns((price as Row | null) ?? NO_TOKEN_PRICES),
      }),
    }),
    scheduled_prices: () => {
      const params = { model_id: id };
      const scheduled = { ...params, scheduled_price_id: String((after ?? before)?.id) };
      return {
        operation: "deleteScheduledPrice",
        params: scheduled,
        // It is never changed, only deleted.
        columns: [],
        otherwise: NOT_RESTORABLE,
        body: () => undefined,
        toColumns: () => ({}),
        remove: { operation: "deleteScheduledPrice" },
        remake: { operation: "createScheduledPrice", params, body: readScheduledPrice },
      };
    },
  };
}

/** The token prices that are stored for models priced by the unit. */
const NO_TOKEN_PRICES: Row = { input_per_1m: "0", output_per_1m: "0" };

/** As they are stored: input and output, and the others as one value. */
function toTokenColumns({ input_per_1m, output_per_1m, ...classes }: Row): Row {
  return { input_per_1m, output_per_1m, price_classes: Object.keys(classes).length > 0 ? classes : null };
}

/** The price by tokens that columns make, where those that didn't change are as they are now. */
function readTokenPrice({ price_classes, ...prices }: Row, now: Row | null): Row {
  const { input_per_1m, output_per_1m, ...classes } = now ?? NO_TOKEN_PRICES;
  const others = price_classes === undefined ? classes : (parsed(price_classes) as Row | null);
  return { input_per_1m, output_per_1m, ...prices, ...others };
}

/** A model has a price by the unit or by tokens: the one that comes back replaces the other. */
function readPrices({ rate, batch_rate, unit_price, audio_price, ...prices }: Row, { price }: Row) {
  const others = {
    ...(rate !== undefined && { rate }),
    ...(batch_rate !== undefined && { batch_rate }),
  };
  const unitPrice = parsed(unit_price ?? null);
  if (unitPrice !== null) return { ...others, unit_price: unitPrice };
  const isRepriced = unit_price === null || Object.keys(prices).length > 0;
  return {
    ...others,
    ...(isRepriced && { price: readTokenPrice(prices, price as Row | null) }),
    ...(audio_price !== undefined && { audio_price: parsed(audio_price) }),
  };
}

function readPermissions({ mode, model_ids }: Row) {
  return { mode, model_ids: parsed(model_ids) };
}

/**
 * Null columns stay as they are. A removed batch rate is stored as text, and a removed price of audio as JSON's null.
 */
function readScheduledPrice(deleted: Row) {
  const { effective_at_ms, rate, batch_rate = null, input_per_1m, output_per_1m } = deleted;
  const { unit_price, audio_price = null, price_classes = null } = deleted;
  return {
    effective_at: Math.floor(Number(effective_at_ms) / 1000),
    ...(rate !== null && { rate }),
    ...(batch_rate !== null && { batch_rate: Number.isNaN(Number(batch_rate)) ? null : batch_rate }),
    ...(input_per_1m !== null && {
      price: readTokenPrice({ input_per_1m, output_per_1m, price_classes }, null),
    }),
    ...(unit_price !== null && { unit_price: parsed(unit_price) }),
    ...(audio_price !== null && { audio_price: parsed(audio_price) }),
  };
}

/** A value that is stored as JSON, or that the API already returned parsed. */
function parsed(value: unknown): unknown {
  return typeof value === "string" ? JSON.parse(value) : value;
}
