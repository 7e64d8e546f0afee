import { rateLimitFields, rateLimitTable } from "@/lib/contract/calls/rate-limit-table";
import type { RefusalFacts } from "@/lib/contract/errors";
import type { RequestCheck } from "@/lib/contract/operations/calls/receipt-parts";
import { formatAmount, type Nano, toNano } from "@/lib/money/amount";
import type { CheckFigures, LimitFigures } from "./receipt-details";
import type { RequestRecord } from "./request-record";

type Limit = keyof typeof rateLimitTable;

/** The checks in the order in which a call meets them. */
const checks = [
  "key",
  "permission",
  "request",
  "model",
  "circuit",
  "provider",
  "concurrency",
  "balance",
  "spend_limit",
] as const;

interface CheckedRequest {
  readonly request: RequestRecord;
  readonly held: Nano | null;
  readonly facts: RefusalFacts;
  /** The figures of the checks, as far as the caller may see them; null where they were not recorded. */
  readonly seen: CheckFigures | null;
}

/**
 * The checks of a call in their order. A check that was reached implies that all earlier ones passed. All limits are
 * one step: each shows its recorded figures, and the one that refused always does.
 */
export function listRequestChecks({ request, held, facts, seen }: CheckedRequest): RequestCheck[] {
  const { refusedBy } = request;
  const isLimit = refusedBy !== null && Object.hasOwn(rateLimitTable, refusedBy);
  const decider = refusedBy === null ? null : isLimit ? refusedBy : findDecider(refusedBy);
  const at = checks.findIndex((check) => check === decider);
  const before: RequestCheck[] = checks.map((check, index) => ({
    ...nothingRecorded,
    check,
    verdict:
      decider === check ? "refused" : decider === null || isLimit || index < at ? "passed" : "not_reached",
    ...(check === "request" && check === decider && { value: facts.param ?? null }),
    ...(check === "model" && { value: facts.asked_model ?? request.model }),
    ...(seen && describeEarlyCheck(check, seen, held)),
    ...(check === decider && describeRefusal(facts)),
  }));
  const ofLimits = rateLimitFields.map((check): RequestCheck => {
    const passedVerdict = isBatchLimit(check) ? "not_limited" : "passed";
    const verdict = decider === null ? passedVerdict : !isLimit ? "not_reached" : "unknown";
    const figures = seen?.limits?.[check];
    const recorded = {
      ...nothingRecorded,
      check,
      window: rateLimitTable[check].window,
      needed: describeNeeded(check, request),
      ...(figures && formatFigures(figures)),
    };
    if (check === decider) return { ...recorded, verdict: "refused", ...describeRefusal(facts) };
    if (!seen?.limits) return { ...recorded, verdict };
    if (!figures) return { ...recorded, verdict: "not_limited", needed: null };
    const isOver = figures.used + figures.needed > figures.max;
    return { ...recorded, verdict: isOver ? "would_refuse" : "passed" };
  });
  return [...before, ...ofLimits];
}

/** Returns true for limits in which only batches count. */
const isBatchLimit = (check: Limit) => rateLimitTable[check].counts === "batchInputTokens";

const nothingRecorded = { value: null, limit: null, needed: null, window: null, scope: null } as const;

const nameScope = (projectId: string | null) =>
  projectId === null ? ("organization" as const) : ("project" as const);

const formatFigures = ({ used, max, needed }: LimitFigures) => ({
  value: String(used),
  limit: String(max),
  needed: String(needed),
});

/** The figures of a check before the limits. */
function describeEarlyCheck(
  check: (typeof checks)[number],
  seen: CheckFigures,
  held: Nano | null,
): Partial<RequestCheck> {
  const neededAmount = held === null ? null : formatAmount(held);
  const { inFlight, available, spending } = seen;
  if (check === "concurrency")
    return { value: String(inFlight[0]), limit: String(inFlight[1]), needed: "1", window: null };
  if (check === "balance" && available !== null)
    return { value: formatAmount(toNano(available)), needed: neededAmount };
  if (check !== "spend_limit" || !spending) return {};
  const { spent, limit, project } = spending;
  return {
    value: formatAmount(toNano(spent)),
    limit: formatAmount(toNano(limit)),
    needed: neededAmount,
    window: "month",
    scope: nameScope(project),
  };
}

/** The check that each error code belongs to; all other codes belong to the request itself. */
const deciders: Readonly<Record<string, (typeof checks)[number]>> = {
  model_not_found: "model",
  model_not_allowed: "model",
  model_not_priced: "model",
  circuit_open: "circuit",
  provider_saturated: "provider",
  provider_error: "provider",
  provider_misconfigured: "provider",
  provider_timeout: "provider",
};

function findDecider(refusedBy: string): string {
  return checks.find((check) => check === refusedBy) ?? deciders[refusedBy] ?? "request";
}

function describeNeeded(check: Limit, { estimatedTokens }: RequestRecord): string | null {
  const { counts } = rateLimitTable[check];
  if (counts === "tokens") return estimatedTokens === null ? null : String(estimatedTokens);
  return counts === "requests" ? "1" : null;
}

function describeRefusal({ limit, balance, spend_limit: spending, circuit }: RefusalFacts) {
  if (limit) return { value: String(limit.used), limit: String(limit.max), needed: String(limit.requested) };
  if (circuit) return { value: String(circuit.failures), limit: String(circuit.threshold) };
  if (spending) {
    const { spent = null, threshold = null, required, project } = spending;
    const scope = nameScope(project);
    return { value: spent, limit: threshold, needed: required, window: "month" as const, scope };
  }
  return balance ? { value: balance.available ?? null, needed: balance.required } : {};
}
