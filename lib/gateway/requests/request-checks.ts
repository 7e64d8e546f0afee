import type { RefusalFacts } from "@/lib/contract/errors";
import type { RequestCheck } from "@/lib/contract/operations/requests";
import { rateLimitTable } from "@/lib/contract/rate-limit-table";
import type { RequestRecord } from "./request-log-reader";

type Limit = keyof typeof rateLimitTable;

/** The limits that a call can meet: no call comes from a batch. */
const limits = (Object.keys(rateLimitTable) as Limit[]).filter(
  (field) => rateLimitTable[field].counts !== "batchInputTokens",
);

/** As a call meets them. */
const checks = [
  "key",
  "permission",
  "request",
  "model",
  "provider",
  "concurrency",
  "balance",
  "spend_limit",
] as const;

/**
 * The checks of a call in their order. Whoever came to one has passed those before it. Of the limits, which are looked at together,
 * the one that refused is known, and of the others nothing.
 */
export function requestChecksOf(request: RequestRecord, facts: RefusalFacts): RequestCheck[] {
  const { refusedBy } = request;
  const isLimit = refusedBy !== null && Object.hasOwn(rateLimitTable, refusedBy);
  const decider = refusedBy === null ? null : isLimit ? refusedBy : deciderOf(refusedBy);
  const at = checks.findIndex((check) => check === decider);
  const before: RequestCheck[] = checks.map((check, index) => ({
    ...nothingRecorded,
    check,
    verdict:
      decider === check ? "refused" : decider === null || isLimit || index < at ? "passed" : "not_reached",
    ...(check === "request" && check === decider && { value: facts.param ?? null }),
    ...(check === "model" && { value: facts.asked_model ?? request.model }),
    ...(check === decider && figuresOf(facts)),
  }));
  const ofLimits = limits.map((check): RequestCheck => {
    const verdict = decider === null ? "passed" : !isLimit ? "not_reached" : "unknown";
    const known = {
      ...nothingRecorded,
      check,
      window: rateLimitTable[check].window,
      needed: neededOf(check, request),
    };
    return check === decider ? { ...known, verdict: "refused", ...figuresOf(facts) } : { ...known, verdict };
  });
  return [...before, ...ofLimits];
}

const nothingRecorded = { value: null, limit: null, needed: null, window: null } as const;

/** Codes of errors that the other checks refuse with; every other one is of the request itself. */
const deciders: Readonly<Record<string, (typeof checks)[number]>> = {
  model_not_found: "model",
  model_not_allowed: "model",
  model_not_priced: "model",
  provider_saturated: "provider",
  provider_error: "provider",
  provider_misconfigured: "provider",
  provider_timeout: "provider",
};

function deciderOf(refusedBy: string): string {
  return checks.find((check) => check === refusedBy) ?? deciders[refusedBy] ?? "request";
}

function neededOf(check: Limit, { estimatedTokens }: RequestRecord): string | null {
  const { counts } = rateLimitTable[check];
  if (counts === "tokens") return estimatedTokens === null ? null : String(estimatedTokens);
  return counts === "requests" ? "1" : null;
}

function figuresOf({ limit, balance, spend_limit: spending }: RefusalFacts) {
  if (limit) return { value: String(limit.used), limit: String(limit.max), needed: String(limit.requested) };
  if (spending) {
    const { spent = null, threshold = null, required } = spending;
    return { value: spent, limit: threshold, needed: required, window: "month" as const };
  }
  return balance ? { value: balance.available ?? null, needed: balance.required } : {};
}
