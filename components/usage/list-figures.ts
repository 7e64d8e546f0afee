import type {
  UsageFigureName,
  UsageFigures,
  UsageSeries,
} from "@/lib/contract/operations/usage/usage-summary";

const nothing: UsageFigures = {
  requests: 0,
  errors: 0,
  refusals: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  cached_tokens: 0,
  input_audio_tokens: 0,
  output_audio_tokens: 0,
  amount: "0.00",
  duration_p50_ms: null,
  duration_p95_ms: null,
  first_byte_p50_ms: null,
  first_byte_p95_ms: null,
};

/** Returns the figures of each bucket, oldest first. Those that the read didn't ask for are empty. */
export function listFigures(series: UsageSeries = {}): UsageFigures[] {
  const names = Object.keys(series) as UsageFigureName[];
  const length = Math.max(0, ...names.map((name) => series[name]?.length ?? 0));
  return Array.from({ length }, (_, index) => ({
    ...nothing,
    ...Object.fromEntries(names.map((name) => [name, series[name]?.[index]])),
  }));
}
