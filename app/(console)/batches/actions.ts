"use server";

import * as z from "zod/mini";
import { action, createAction } from "@/lib/console/actions/action";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { batchEndpoints } from "@/lib/contract/operations/batches";

const batchInput = z.strictObject({ batchId: z.string() });

export const cancelBatch = action(batchInput, ({ batchId }) =>
  callGateway("cancelBatch", { params: { batch_id: batchId } }),
);

const ofFile = { projectId: z.string(), fileId: z.string(), endpoint: z.enum(batchEndpoints) };

export const previewBatch = action(z.strictObject(ofFile), ({ projectId, fileId, endpoint }) =>
  callGateway("previewBatch", {
    body: { input_file_id: fileId, endpoint },
    headers: { "openai-project": projectId },
  }),
);

export const createBatch = createAction(z.strictObject(ofFile), ({ projectId, fileId, endpoint }, headers) =>
  callGateway("createBatch", {
    body: { input_file_id: fileId, endpoint, completion_window: "24h" },
    headers: { ...headers, "openai-project": projectId },
  }),
);
