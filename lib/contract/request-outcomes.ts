// Without imports, so that a screen needs no schemas for it.

/**
 * How a call ended. `refused` and `unsent` reached no provider and count in no limit; `provider_failed` did and costs nothing;
 * `client_gone` and `interrupted` are charged for what was generated; `in_progress` has not ended.
 */
export const requestOutcomes = [
  "completed",
  "client_gone",
  "provider_failed",
  "interrupted",
  "refused",
  "unsent",
  "in_progress",
] as const;
export type RequestOutcome = (typeof requestOutcomes)[number];

/** The model of a refused call that named no existing model. */
export const UNKNOWN_MODEL = "unknown";
