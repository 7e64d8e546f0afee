import type { Nano } from "@/lib/money/amount";
import type { Scope } from "../../scope";
import { ensure } from "../broken-invariant";
import type { SimulatedCompletion } from "../simulated-completion";
import type { LedgerOracle } from "./ledger-oracle";

/**
 * The charges of a month, and the possible charges of calls in progress, must stay within the limits that applied when
 * the last call was admitted.
 */
export function checkSpend(
  { request, holdAmount }: SimulatedCompletion["admission"],
  month: {
    readonly limits: ReadonlyMap<Scope, Nano>;
    readonly ledger: LedgerOracle;
    /** The calls of the running process, including the one just admitted. */
    readonly calls: readonly SimulatedCompletion[];
    readonly startMs: number;
    /** Whether no other process admits calls: each process knows only the spending of its own projects. */
    readonly isAlone: boolean;
  },
): void {
  // A limit that was lowered below the spent amount still admits free calls.
  if (holdAmount === 0n) return;
  const { limits, ledger, calls, startMs, isAlone } = month;
  // A hold that was placed late and then taken over counts from this process's next start on.
  const givenUp = new Set(isAlone ? [] : calls.filter(({ holdsNothing }) => holdsNothing).map(readRequestId));
  for (const scope of isAlone ? [null, request.projectId] : [request.projectId]) {
    const limit = limits.get(scope);
    if (limit === undefined) continue;
    let spentSum = 0n;
    for (const [requestId, { amount, project_id, created_at_ms }] of ledger.charges) {
      if (givenUp.has(requestId) || created_at_ms < startMs) continue;
      if (scope === null || project_id === scope) spentSum += amount;
    }
    for (const { requestId, admission, holdsNothing } of calls) {
      if (holdsNothing || ledger.charges.has(requestId) || ledger.uncharged.has(requestId)) continue;
      if (scope === null || admission.request.projectId === scope) spentSum += admission.holdAmount;
    }
    ensure(spentSum <= limit, "spend limit", () => `${spentSum} of ${limit} a month for ${scope ?? "all"}`);
  }
}

function readRequestId({ requestId }: SimulatedCompletion): string {
  return requestId;
}
