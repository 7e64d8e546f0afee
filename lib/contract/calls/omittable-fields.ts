/**
 * Fields that the gateway adds to chat completions, and that one is sent without where its server refuses them. Without
 * `stream_options` usage is estimated; the others come from Anthropic's format and are hints to the model's server.
 */
export const omittableFields = ["stream_options", "user", "top_k", "reasoning_effort"] as const;
export type OmittableField = (typeof omittableFields)[number];
