"use server";

import * as z from "zod/mini";
import { defineCreateAction } from "@/lib/console/actions/define-action";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import type { GatewayReply } from "@/lib/console/gateway/problem";
import { correctionDraft } from "@/lib/contract/operations/money/balance";
import { importedPaymentDraft } from "@/lib/contract/operations/money/payment-import";
import type { RecordedPayment } from "./recorded-notice";

/** Imports a list of one: the transaction that records the payment refuses it if it equals another that isn't meant. */
export const recordPayment = defineCreateAction(
  importedPaymentDraft,
  async (payment, headers): Promise<GatewayReply<RecordedPayment>> => {
    const reply = await callGateway("importPayments", { body: { payments: [payment] }, headers });
    if (!reply.ok) return reply;
    const { payments, currency } = reply.data;
    const [recorded] = payments;
    if (!recorded) throw new TypeError("An import of one payment recorded none.");
    return { ...reply, data: { ...recorded, currency } };
  },
);

export const correctEntry = defineCreateAction(
  z.extend(correctionDraft, { entry_id: z.string() }),
  ({ entry_id, ...body }, headers) =>
    callGateway("createCorrection", { params: { entry_id }, body, headers }),
);
