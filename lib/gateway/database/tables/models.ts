import { integer, json, real, text, time } from "./columns";
import { table } from "./table";

export const modelTables = [
  // Null is the default of a time limit, and of the field that takes the output limit.
  table("providers", {
    id: text.primaryKey(),
    kind: text,
    base_url: text,
    sealed_api_key: text.nullable(),
    created_at_ms: time,
    output_limit_field: text.nullable(),
    connect_seconds: real.nullable(),
    whole_answer_seconds: real.nullable(),
    first_event_seconds: real.nullable(),
    idle_seconds: real.nullable(),
    total_seconds: real.nullable(),
    refused_fields: json.default("[]"),
  }),
  // `batch_rate` is null for the rate of live calls, `audio_price` where audio costs as much as text.
  table("models", {
    id: text.primaryKey(),
    family: text,
    rate: text,
    input_per_1m: text,
    output_per_1m: text,
    routes: json,
    created_at_ms: time,
    context_window: integer.nullable(),
    unit_price: json.nullable(),
    batch_rate: text.nullable(),
    audio_price: json.nullable(),
    max_output_tokens: integer.nullable(),
  }),
  table("model_prices", {
    model: text.primaryKey(),
    rate: text,
    input_per_1m: text,
    output_per_1m: text,
    updated_at_ms: time,
    unit_price: json.nullable(),
    batch_rate: text.nullable(),
    audio_price: json.nullable(),
  }),
  // Changes of models' prices at a future time. A null column leaves that price as it is.
  table(
    "scheduled_prices",
    {
      id: text.primaryKey(),
      model: text,
      effective_at_ms: time,
      rate: text.nullable(),
      input_per_1m: text.nullable(),
      output_per_1m: text.nullable(),
      unit_price: json.nullable(),
      created_at_ms: time,
      batch_rate: text.nullable(),
      audio_price: json.nullable(),
    },
    {
      unique: [["model", "effective_at_ms"]],
    },
  ),
  table("model_permissions", {
    project_id: text.primaryKey().references("projects.id"),
    mode: text.check("mode IN ('allow_list', 'deny_list')"),
    model_ids: json,
    updated_at_ms: time,
  }),
  // When an administrator last closed a circuit breaker. Every process reads it and closes its own.
  table(
    "circuit_closings",
    {
      provider: text,
      model: text,
      closed_at_ms: time,
    },
    {
      primaryKey: ["provider", "model"],
    },
  ),
];
