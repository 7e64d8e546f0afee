import type { RateLimitField } from "@/lib/contract/operations/rate-limits";

const names: Record<RateLimitField, string> = {
  max_requests_per_1_minute: "Requests per minute",
  max_tokens_per_1_minute: "Tokens per minute",
  max_images_per_1_minute: "Images per minute",
  max_audio_megabytes_per_1_minute: "Audio megabytes per minute",
  max_requests_per_1_day: "Requests per day",
  batch_1_day_max_input_tokens: "Batch input tokens per day",
};

/** What people call a limit; a field this console does not know keeps its own name. */
export function limitName(field: string): string {
  return Object.hasOwn(names, field) ? names[field as RateLimitField] : field;
}
