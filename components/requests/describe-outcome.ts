import { limitLabels } from "@/components/rate-limits/limit-fields";
import type { Tone } from "@/components/ui/status";
import type { LoggedRequest, RequestOutcome } from "@/lib/contract/operations/calls/requests";

export const outcomeLabels: Record<RequestOutcome, string> = {
  completed: "Completed",
  // The client closed the connection, or somebody canceled the task.
  client_gone: "Canceled",
  provider_failed: "Provider failed",
  interrupted: "Interrupted",
  refused: "Refused",
  unsent: "Not sent",
  in_progress: "In progress",
};

const tones: Record<RequestOutcome, Tone> = {
  completed: "good",
  client_gone: "neutral",
  provider_failed: "near",
  interrupted: "near",
  refused: "bad",
  unsent: "neutral",
  in_progress: "neutral",
};

const otherChecks: Readonly<Record<string, string>> = {
  key: "Key",
  permission: "Permission",
  request: "Request well-formed",
  model: "Model allowed",
  model_not_found: "No such model",
  model_not_allowed: "Model not allowed",
  model_not_priced: "Model without a price",
  circuit: "Circuit breaker",
  circuit_open: "Circuit breaker",
  provider: "Provider capacity",
  provider_saturated: "Provider capacity",
  concurrency: "Concurrent calls",
  balance: "Balance",
  spend_limit: "Spend limit",
};

/** Returns the label of a check. */
export function labelCheck(check: string): string {
  return (
    otherChecks[check] ?? (limitLabels as Readonly<Record<string, string>>)[check] ?? writeSentence(check)
  );
}

/** Turns an error code such as `missing_field` into words. */
function writeSentence(code: string): string {
  return `${code.slice(0, 1).toUpperCase()}${code.slice(1).replaceAll("_", " ")}`;
}

/** The checks that can refuse a call. */
export const refusingChecks = [
  ...Object.keys(limitLabels),
  "balance",
  "spend_limit",
  "concurrency",
  "circuit_open",
  "provider_saturated",
  "model_not_found",
  "model_not_allowed",
  "missing_field",
  "invalid_value",
];

/** Describes an outcome. A refused call is named after the check that refused it. */
export function describeOutcome({ outcome, refused_by }: Pick<LoggedRequest, "outcome" | "refused_by">) {
  return { tone: tones[outcome], label: refused_by ? labelCheck(refused_by) : outcomeLabels[outcome] };
}
