import type { ModelFamily } from "@/lib/contract/calls/model-families";

/** The tables of models and their prices; see `schema.ts` for units. */
export interface ModelTables {
  models: {
    id: string;
    family: ModelFamily;
    rate: string;
    batch_rate: string | null;
    input_per_1m: string;
    output_per_1m: string;
    /** Null where the administrator named no limit. */
    max_output_tokens: number | null;
    routes: string;
    created_at_ms: number;
    context_window: number | null;
    /** `unitPrice` as JSON; null for a model that is priced by tokens. */
    unit_price: string | null;
    /** `audioPrice` as JSON. */
    audio_price: string | null;
    /** What `price` has beside input and output, as JSON; so in the other tables. */
    price_classes: string | null;
    /** The ids of the projects that may call it, as JSON; null for every project. */
    projects: string | null;
    /** As JSON; null where they aren't known. */
    input_modalities: string | null;
  };
  /** Prices and rates that were changed in the console, over those of built-in and configured models. */
  model_prices: {
    model: string;
    rate: string;
    batch_rate: string | null;
    input_per_1m: string;
    output_per_1m: string;
    updated_at_ms: number;
    unit_price: string | null;
    audio_price: string | null;
    price_classes: string | null;
  };
  /** Routes that were changed in the console, over those that the model was defined with. */
  model_routes: {
    model: string;
    routes: string;
    updated_at_ms: number;
  };
  /** Default limits that were set over those of the file: of a model or, with the id `organization`, of every model. */
  rate_limit_defaults: { id: string; limits: string; updated_at_ms: number };
  /** Scheduled changes of prices. Null columns stay as they are. */
  scheduled_prices: {
    id: string;
    model: string;
    effective_at_ms: number;
    rate: string | null;
    /** Text that is no number removes the batch rate. */
    batch_rate: string | null;
    input_per_1m: string | null;
    output_per_1m: string | null;
    /** `unitPrice` as JSON. */
    unit_price: string | null;
    /** `audioPrice` as JSON; JSON's null removes it. */
    audio_price: string | null;
    price_classes: string | null;
    created_at_ms: number;
  };
}
