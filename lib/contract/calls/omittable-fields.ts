/**
 * Fields that a call is sent without where its server refuses them. Without `stream_options` usage is estimated, and
 * without `encoding_format` numbers are packed. Instead of a `long_user`, one of more than 64 characters, its hash is
 * sent, and `response_format` is that of orders of pictures. The others are hints.
 */
export const omittableFields = [
  "stream_options",
  "user",
  "long_user",
  "strict",
  "temperature",
  "top_p",
  "top_k",
  "stop",
  "parallel_tool_calls",
  "reasoning_effort",
  "verbosity",
  "prompt_cache_key",
  "prompt_cache_retention",
  "safety_identifier",
  "response_format",
  "encoding_format",
] as const;
export type OmittableField = (typeof omittableFields)[number];
