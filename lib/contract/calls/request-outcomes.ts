// Has no imports, so that a screen that uses it doesn't load the schemas.

/**
 * How a call ended. `refused` and `unsent` reached no provider and count in no limit. `provider_failed` reached one, is
 * free, and counts as a request alone. `client_gone` and `interrupted` are charged for the generated output.
 * `in_progress` hasn't ended.
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

/**
 * Whether a model's failures need attention: at least 5 % of its calls, once there were 20 calls or 5 failures. Among
 * fewer calls, one or two failures are a large share by chance; five are none, as where every call of a quiet model
 * fails.
 */
export const isFailing = ({ calls, errors }: { calls: number; errors: number }): boolean =>
  errors / calls >= 0.05 && (calls >= 20 || errors >= 5);
