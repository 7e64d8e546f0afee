"use server";

import { createAction } from "@/lib/console/action";
import { callGateway } from "@/lib/console/gateway-client";
import { paymentDraft } from "@/lib/contract/operations/balance";

export const recordPayment = createAction(paymentDraft, (body, headers) =>
  callGateway("createPayment", { body, headers }),
);
