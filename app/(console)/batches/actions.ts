"use server";

import * as z from "zod/mini";
import { defineAction, defineCreateAction } from "@/lib/console/actions/define-action";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { batchEndpoints } from "@/lib/contract/operations/tasks/batches";

const batchInput = z.strictObject({ batchId: z.string() });

export const cancelBatch = defineAction(batchInput, ({ batchId }) =>
  callGateway("cancelBatch", { params: { batch_id: batchId } }),
);

const ofFile = { projectId: z.string(), fileId: z.string(), endpoint: z.enum(batchEndpoints) };

export const previewBatch = defineAction(z.strictObject(ofFile), ({ projectId, fileId, endpoint }) =>
  callGateway("previewBatch", {
    body: { input_file_id: fileId, endpoint },
    headers: { "openai-project": projectId },
  }),
);

export const createBatch = defineCreateAction(
  z.strictObject(ofFile),
  ({ projectId, fileId, endpoint }, headers) =>
    callGateway("createBatch", {
      body: { input_file_id: fileId, endpoint, completion_window: "24h" },
      headers: { ...headers, "openai-project": projectId },
    }),
);
