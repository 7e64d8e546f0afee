import { integer, json, nano, text, time } from "./columns";
import { table } from "./table";

export const sumTables = [
  // Calls summed by hour and day, in the background. Only daily sums are indexed: they are inserted once and then
  // updated, which changes no index. Durations and first bytes map buckets to counts.
  table(
    "call_sums",
    {
      width_ms: integer,
      start_ms: time,
      project_id: text,
      key_id: text,
      model: text,
      provider: text,
      outcome: text,
      status: integer,
      refused_by: text,
      calls: integer,
      amount: nano,
      max_amount: nano,
      max_duration_ms: integer,
      prompt_tokens: integer,
      completion_tokens: integer,
      cached_tokens: integer,
      durations: json,
      first_bytes: json,
      audio_prompt_tokens: integer.default(0),
      audio_completion_tokens: integer.default(0),
    },
    {
      primaryKey: [
        "width_ms",
        "start_ms",
        "project_id",
        "key_id",
        "model",
        "provider",
        "outcome",
        "status",
        "refused_by",
      ],
      withoutRowid: true,
      indexes: {
        call_sums_by_project_id: { on: "project_id, start_ms", where: "width_ms = 86400000" },
        call_sums_by_key_id: { on: "key_id, start_ms", where: "width_ms = 86400000" },
        call_sums_by_model: { on: "model, start_ms", where: "width_ms = 86400000" },
        call_sums_by_provider: { on: "provider, start_ms", where: "width_ms = 86400000" },
      },
    },
  ),
  // The same sums for all projects, keys and models together, so that the most frequent questions read few rows.
  table(
    "call_totals",
    {
      width_ms: integer,
      start_ms: time,
      outcome: text,
      status: integer,
      refused_by: text,
      calls: integer,
      amount: nano,
      max_amount: nano,
      max_duration_ms: integer,
      prompt_tokens: integer,
      completion_tokens: integer,
      durations: json,
      first_bytes: json,
      cached_tokens: integer.default(0),
      audio_prompt_tokens: integer.default(0),
      audio_completion_tokens: integer.default(0),
    },
    {
      primaryKey: ["width_ms", "start_ms", "outcome", "status", "refused_by"],
      withoutRowid: true,
    },
  ),
  // The sums contain all charges up to `seq`, and all other calls except those in `unsummed_calls`. The other time is
  // the end of the last minute whose sums were deleted, or left out for their age.
  table(
    "call_sums_end",
    {
      one: integer.primaryKey().check("one = 1"),
      seq: integer,
      minutes_deleted_until_ms: time.default(0),
    },
    {
      rows: [{ one: 1, seq: 0, minutes_deleted_until_ms: 0 }],
    },
  ),
  table(
    "unsummed_calls",
    {
      id: text.primaryKey(),
    },
    {
      withoutRowid: true,
    },
  ),
  // Sums of each hour and day by one column: project, key, model or provider. They are computed from `call_sums`,
  // oldest first, and contain all calls before `until_ms`. Latencies, which are long, have a table of their own.
  table(
    "sums_by_dimension",
    {
      dimension: text,
      width_ms: integer,
      start_ms: time,
      value: text,
      requests: integer,
      errors: integer,
      amount: nano,
      prompt_tokens: integer,
      completion_tokens: integer,
      cached_tokens: integer,
      audio_prompt_tokens: integer.default(0),
      audio_completion_tokens: integer.default(0),
    },
    {
      primaryKey: ["dimension", "width_ms", "start_ms", "value"],
      withoutRowid: true,
    },
  ),
  table(
    "latencies_by_dimension",
    {
      dimension: text,
      width_ms: integer,
      start_ms: time,
      value: text,
      durations: json,
      first_bytes: json,
    },
    {
      primaryKey: ["dimension", "width_ms", "start_ms", "value"],
      withoutRowid: true,
    },
  ),
  // `late_additions` is how often calls were added to sums that were computed already. While this number stays the
  // same, so do these sums.
  table(
    "sums_by_dimension_end",
    {
      width_ms: integer.primaryKey(),
      until_ms: time,
      late_additions: integer.default(0),
    },
    {
      rows: [
        { width_ms: 3600000, until_ms: 0, late_additions: 0 },
        { width_ms: 86400000, until_ms: 0, late_additions: 0 },
      ],
    },
  ),
];
