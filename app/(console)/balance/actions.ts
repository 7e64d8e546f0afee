"use server";

import { createAction } from "@/lib/console/actions/action";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { paymentDraft } from "@/lib/contract/operations/balance";

export const recordPayment = createAction(paymentDraft, (body, headers) =>
  callGateway("createPayment", { body, headers }),
);
