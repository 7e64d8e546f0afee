"use server";

import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";

const deleteInput = z.strictObject({ fileId: z.string(), version: knownVersion });

export const deleteFile = defineAction(deleteInput, ({ fileId, version }) =>
  callGateway("deleteFile", { params: { file_id: fileId }, headers: ifMatch(version) }),
);

const input = z.strictObject({ taskId: z.string().check(z.regex(/^[\w-]{1,100}$/)) });

/** Asks for a task that the person made to be canceled. */
export const cancelOwnTask = defineAction(input, ({ taskId }) =>
  callGateway("cancelOwnTask", { params: { task_id: taskId } }),
);
