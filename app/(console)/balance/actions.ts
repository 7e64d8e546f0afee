"use server";

import * as z from "zod/mini";
import { action } from "@/lib/console/action";
import { callGateway } from "@/lib/console/gateway-client";
import { paymentDraft } from "@/lib/contract/operations/balance";

const recording = z.strictObject({
  payment: paymentDraft,
  /** Made when the form opens: the same form sent twice records one payment. */
  idempotencyKey: z.string().check(z.regex(/^[\w-]{16,64}$/)),
});

export const recordPayment = action(recording, ({ payment, idempotencyKey }) =>
  callGateway("createPayment", { body: payment, headers: { "idempotency-key": idempotencyKey } }),
);
