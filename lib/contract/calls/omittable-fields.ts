/**
 * Fields that a call is sent without where its server refuses them. Without `stream_options` usage is estimated, and
 * without `encoding_format` numbers are packed. The others are hints, which Anthropic's format brings.
 */
export const omittableFields = [
  "stream_options",
  "user",
  "top_k",
  "reasoning_effort",
  "encoding_format",
] as const;
export type OmittableField = (typeof omittableFields)[number];
