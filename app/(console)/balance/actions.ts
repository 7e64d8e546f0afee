"use server";

import * as z from "zod/mini";
import { defineCreateAction } from "@/lib/console/actions/define-action";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { correctionDraft } from "@/lib/contract/operations/money/balance";

export const correctEntry = defineCreateAction(
  z.extend(correctionDraft, { entry_id: z.string() }),
  ({ entry_id, ...body }, headers) =>
    callGateway("createCorrection", { params: { entry_id }, body, headers }),
);
