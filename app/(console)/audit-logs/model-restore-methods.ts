import type { AuditChange } from "./describe-changes";
import { NOT_RESTORABLE, type RestoreMethod, type Row } from "./restore-method";

const PRICES = ["rate", "input_per_1m", "output_per_1m", "unit_price"];

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
      body: (back, { mode, model_ids }) => permissionsOf({ mode, model_ids, ...back }),
      columnsOf: (now) => now,
      remove: { operation: "deleteModelPermissions" },
      remake: { body: permissionsOf },
    }),
    model_prices: () => ({
      operation: "changeOrganizationModel",
      params: { model_id: id },
      columns: [...PRICES, "audio_price"],
      otherwise: NOT_RESTORABLE,
      body: ({ rate, unit_price, audio_price, ...prices }, { price }) => ({
        ...(rate !== undefined && { rate }),
        ...(unit_price !== undefined && { unit_price: parsed(unit_price) }),
        ...(audio_price !== undefined && { audio_price: parsed(audio_price) }),
        ...(Object.keys(prices).length > 0 && { price: { ...(price as Row), ...prices } }),
      }),
      columnsOf: ({ rate, price, unit_price, audio_price }) => ({
        rate,
        unit_price,
        audio_price,
        ...(price as Row | null),
      }),
    }),
    scheduled_prices: () => {
      const params = { model_id: id };
      const scheduled = { ...params, scheduled_price_id: String((after ?? before)?.id) };
      return {
        operation: "deleteScheduledPrice",
        params: scheduled,
        columns: PRICES,
        otherwise: NOT_RESTORABLE,
        body: () => undefined,
        columnsOf: ({ rate, price, unit_price }) => ({ rate, unit_price, ...(price as Row | null) }),
        remove: { operation: "deleteScheduledPrice" },
        remake: { operation: "createScheduledPrice", params, body: scheduledPriceOf },
      };
    },
  };
}

function permissionsOf({ mode, model_ids }: Row) {
  return { mode, model_ids: parsed(model_ids) };
}

function scheduledPriceOf({ effective_at_ms, rate, input_per_1m, output_per_1m, unit_price }: Row) {
  return {
    effective_at: Math.floor(Number(effective_at_ms) / 1000),
    ...(rate !== null && { rate }),
    ...(input_per_1m !== null && { price: { input_per_1m, output_per_1m } }),
    ...(unit_price !== null && { unit_price: parsed(unit_price) }),
  };
}

/** A value that is stored as JSON, or that the API already returned parsed. */
function parsed(value: unknown): unknown {
  return typeof value === "string" ? JSON.parse(value) : value;
}
