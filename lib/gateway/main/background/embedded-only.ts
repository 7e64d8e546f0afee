import type { openBodyQueue } from "../../calls/bodies/body-queue";
import type { openReconciler } from "../../doctor/open-reconciler";
import { Refusal } from "../../refusal";
import type { openReporting } from "../../reporting/open-reporting";

const refuse = () =>
  Promise.reject(
    new Refusal(
      503,
      "service_error",
      "store_unavailable",
      "This isn't available on PostgreSQL yet. Calls, limits, the balance and payments are exact there.",
    ),
  );

/** Reads of long lists and sums, which only the embedded database answers yet. */
export function refuseReporting(): ReturnType<typeof openReporting> {
  return {
    summarize: refuse,
    list: refuse,
    sumSelection: refuse,
    readHistory: refuse,
    readDay: refuse,
    modelHealth: refuse,
    chargedUnits: refuse,
    listStatements: refuse,
    findStatement: refuse,
    verifyChain: refuse,
    savePeaks: () => {},
    close: async () => {},
  };
}

export function refuseReconciling(): ReturnType<typeof openReconciler> {
  return { prove: refuse, close: async () => {} };
}

/** Bodies of calls are not kept. */
export function keepNoBodies(): ReturnType<typeof openBodyQueue> {
  return { keep: () => {}, isWaiting: () => false, close: async () => {} };
}
