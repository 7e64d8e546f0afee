import type { openReconciler } from "../../doctor/open-reconciler";
import { Refusal } from "../../refusal";

const refuse = () =>
  Promise.reject(
    new Refusal(
      503,
      "service_error",
      "store_unavailable",
      "This isn't available on PostgreSQL yet. Calls, limits, the balance and payments are exact there.",
    ),
  );

export function refuseReconciling(): ReturnType<typeof openReconciler> {
  return { prove: refuse, close: async () => {} };
}
