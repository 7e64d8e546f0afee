import type { Tone } from "@/components/ui/status";
import type { LoggedRequest, RequestOutcome } from "@/lib/contract/operations/requests";
import { limitLabels } from "../rate-limits/limit-fields";

export const outcomeLabels: Record<RequestOutcome, string> = {
  completed: "Completed",
  client_gone: "Client left",
  provider_failed: "Provider failed",
  interrupted: "Interrupted",
  refused: "Refused",
  unsent: "Not sent",
  in_progress: "Under way",
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
  provider: "Place at the provider",
  provider_saturated: "Place at the provider",
  concurrency: "Calls at once",
  balance: "Balance",
  spend_limit: "Spend limit",
};

/** What people call a check that the API names. */
export function labelOfCheck(check: string): string {
  return otherChecks[check] ?? (limitLabels as Readonly<Record<string, string>>)[check] ?? sentenceOf(check);
}

/** The code of an error, such as `missing_field`, as people read it. */
function sentenceOf(code: string): string {
  return `${code.slice(0, 1).toUpperCase()}${code.slice(1).replaceAll("_", " ")}`;
}

/** Those that a call can be refused by. */
export const refusingChecks = [
  ...Object.keys(limitLabels),
  "balance",
  "spend_limit",
  "concurrency",
  "provider_saturated",
  "model_not_found",
  "model_not_allowed",
  "missing_field",
  "invalid_value",
];

/** A refused call is named by the check that refused it. */
export function describeOutcome({ outcome, refused_by }: Pick<LoggedRequest, "outcome" | "refused_by">) {
  return { tone: tones[outcome], label: refused_by ? labelOfCheck(refused_by) : outcomeLabels[outcome] };
}
