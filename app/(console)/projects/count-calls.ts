import { requestOutcomes } from "@/lib/contract/calls/request-outcomes";
import type { RequestHistogram } from "@/lib/contract/operations/calls/requests";

/** Returns the number of all calls and of those the gateway refused. */
export function countCalls(totals: RequestHistogram["totals"]): { all: number; refused: number } {
  return {
    all: requestOutcomes.reduce((sum, outcome) => sum + totals[outcome], 0),
    refused: totals.refused,
  };
}
