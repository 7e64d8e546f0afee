import type { ModelFamily } from "@/lib/contract/calls/model-families";
import {
  mapLimits,
  type RateLimitField,
  type RateLimitValues,
  rateLimitRows,
  rateLimitTable,
} from "@/lib/contract/calls/rate-limit-table";
import { proofBounds } from "@/lib/contract/operations/models/rate-limit-proofs";
import { invalid, type Refusal } from "../refusal";

/** The calls that prove a limit. */
export interface ProofPlan {
  readonly field: RateLimitField;
  readonly limit: number;
  /** The limits of the calls: those that have no effect on the model's family allow anything. */
  readonly limits: RateLimitValues;
  /** How many calls are sent at most. */
  readonly calls: number;
  /** What each counts as in the limit. */
  readonly perCall: number;
  /** The words of its prompt, each of which the sandbox counts as a token. */
  readonly words: number;
}

/** Calls of one token of prompt and one of output. */
const LEAST_TOKENS = 2;
const MOST_TOKENS = 10_000;
/** So many calls are enough where one may count as much as is needed. */
const FEW_CALLS = 400;
const ANY = Number.MAX_SAFE_INTEGER;

/** @throws Refusal 400 for a limit that calls of the sandbox can't reach, with the reason. */
export function planProof(field: RateLimitField, saved: RateLimitValues, family: ModelFamily): ProofPlan {
  const { counts, families } = rateLimitTable[field];
  if (!families.some((one) => one === family))
    throw invalid(
      "field",
      `${field} has no effect on models of the family ${family}, so there is nothing to prove.`,
    );
  const limit = saved[field];
  if (limit === null)
    throw invalid(
      "field",
      `${field} is no limit for this project and model: nothing is refused, so there is nothing to prove.`,
    );
  const limits = mapLimits((row) =>
    row.families.some((one) => one === family) ? saved[row.field] : row.removable ? null : ANY,
  ) as RateLimitValues;
  const perCall =
    counts === "requests" ? 1 : findPerCall(limit, limits, counts === "tokens" ? LEAST_TOKENS : 1);
  const admitted = Math.floor(limit / perCall);
  const calls = admitted + countBeyond(admitted);
  const isTooMuch = counts === "tokens" && perCall > MOST_TOKENS;
  if (calls > proofBounds.calls || isTooMuch) throw tooHigh(field, limit);
  const plan = { field, limit, limits, calls, perCall };
  refuseIfOthersRefuseFirst(plan, admitted + 1);
  return { ...plan, words: counts === "tokens" ? perCall - 1 : 1 };
}

function tooHigh(field: RateLimitField, limit: number): Refusal {
  const message = `${field} is ${limit}: too high to prove with ${proofBounds.calls} calls of the sandbox. Lower limits can be proved.`;
  return invalid("field", message);
}

/** As much as lets the limits on requests pass all calls. */
function findPerCall(limit: number, limits: RateLimitValues, least: number): number {
  const room = rateLimitRows.flatMap((row) => (row.counts === "requests" ? (limits[row.field] ?? []) : []));
  const calls = Math.max(1, Math.min(FEW_CALLS, ...room.map((requests) => Math.floor(requests * 0.9) - 1)));
  return Math.max(least, Math.ceil(limit / calls));
}

/** How many calls are sent beyond those that a limit admits. */
function countBeyond(admitted: number): number {
  return Math.min(40, Math.max(5, Math.ceil(admitted / 16)));
}

function refuseIfOthersRefuseFirst(
  { field, limits, perCall }: Pick<ProofPlan, "field" | "limits" | "perCall">,
  calls: number,
): void {
  const counted = rateLimitTable[field].counts;
  for (const { field: other, counts } of rateLimitRows) {
    const most = limits[other];
    if (other === field || most === null) continue;
    const each =
      counts === counted ? perCall : counts === "requests" ? 1 : counts === "tokens" ? LEAST_TOKENS : 0;
    if (calls * each <= most) continue;
    const message = `${other} is ${most} and refuses calls before ${field} can, so only ${other} can be proved.`;
    throw invalid("field", message);
  }
}
