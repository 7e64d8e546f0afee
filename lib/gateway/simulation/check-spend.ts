import type { Nano } from "@/lib/money/amount";
import type { SpendScope } from "../balance/spend-book";
import { must } from "./broken-invariant";
import type { LedgerOracle } from "./ledger-oracle";
import type { SimulatedCompletion } from "./simulated-completion";

/**
 * What was charged in a month and may still be charged for calls under way is within the limits that stood when the last
 * of them was let through.
 */
export function checkSpend(
  { request, holdAmount }: SimulatedCompletion["admission"],
  month: {
    readonly limits: ReadonlyMap<SpendScope, Nano>;
    readonly ledger: LedgerOracle;
    /** Of the process that runs, the one just let through among them. */
    readonly calls: readonly SimulatedCompletion[];
    readonly startMs: number;
    /** Whether no other process lets calls through: each knows what its own projects spend. */
    readonly isAlone: boolean;
  },
): void {
  // A limit that was lowered below what is spent lets through what costs nothing.
  if (holdAmount === 0n) return;
  const { limits, ledger, calls, startMs, isAlone } = month;
  // One whose hold came too late, and was then taken over, counts from this process's next start on.
  const givenUp = new Set(isAlone ? [] : calls.filter(({ holdsNothing }) => holdsNothing).map(requestIdOf));
  for (const scope of isAlone ? [null, request.projectId] : [request.projectId]) {
    const limit = limits.get(scope);
    if (limit === undefined) continue;
    let spent = 0n;
    for (const [requestId, { amount, project_id, created_at_ms }] of ledger.charges) {
      if (givenUp.has(requestId) || created_at_ms < startMs) continue;
      if (scope === null || project_id === scope) spent += amount;
    }
    for (const { requestId, admission, holdsNothing } of calls) {
      if (holdsNothing || ledger.charges.has(requestId) || ledger.uncharged.has(requestId)) continue;
      if (scope === null || admission.request.projectId === scope) spent += admission.holdAmount;
    }
    must(spent <= limit, "spend limit", () => `${spent} of ${limit} a month for ${scope ?? "all"}`);
  }
}

function requestIdOf({ requestId }: SimulatedCompletion): string {
  return requestId;
}
