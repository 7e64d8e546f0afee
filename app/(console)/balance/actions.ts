"use server";

import * as z from "zod/mini";
import { createAction } from "@/lib/console/actions/action";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { correctionDraft, paymentDraft } from "@/lib/contract/operations/balance";

export const recordPayment = createAction(paymentDraft, (body, headers) =>
  callGateway("createPayment", { body, headers }),
);

export const correctEntry = createAction(
  z.extend(correctionDraft, { entry_id: z.string() }),
  ({ entry_id, ...body }, headers) =>
    callGateway("createCorrection", { params: { entry_id }, body, headers }),
);
