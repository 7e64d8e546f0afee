/** The code of errors by which a provider refuses the gateway instead of the call. */
export const MISCONFIGURED = "provider_misconfigured";

const misconfiguredStatuses = [401, 402, 403, 404, 429] as const;
/**
 * The statuses that indicate a wrong key, address or model name, or an account without credit (402, and 429 with a
 * code).
 */
export type MisconfiguredStatus = (typeof misconfiguredStatuses)[number];

/** How OpenAI says, with a 429, that an account has no credit left. */
const EMPTY_ACCOUNT = "insufficient_quota";

/** The status of a reply by which a provider refuses the gateway, whatever it asks; null for any other. */
export function toMisconfiguredStatus(
  status: number | null,
  providerCode: string | undefined,
): MisconfiguredStatus | null {
  if (status === 429 && providerCode !== EMPTY_ACCOUNT) return null;
  return misconfiguredStatuses.find((misconfigured) => misconfigured === status) ?? null;
}

/** What callers are told of it. The provider's own words may name the operator's account or key. */
export function explainMisconfigured(status: MisconfiguredStatus): string {
  return status === 402 || status === 429
    ? "The gateway's account at this model's provider has no credit left. You were not charged; it fails again until an administrator tops the account up."
    : "This model's route is set up wrongly: its provider refuses the gateway. You were not charged; it fails again until an administrator corrects the route.";
}

/** Whether an error says that a moderation has flagged the prompt, which OpenRouter tells with a 403. */
export function isFlagged(error: unknown): boolean {
  const { code, metadata } = Object(error) as { code?: unknown; metadata?: unknown };
  const { reasons, flagged_input } = Object(metadata) as { reasons?: unknown; flagged_input?: unknown };
  return Array.isArray(reasons) || typeof flagged_input === "string" || code === "content_filter";
}
