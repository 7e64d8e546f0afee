"use server";

import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { callbackSecretRotation, testCallbackRequest } from "@/lib/contract/operations/tasks/task-callbacks";

const taskInput = z.strictObject({ taskId: z.string() });

export const cancelTask = defineAction(taskInput, ({ taskId }) =>
  callGateway("cancelTask", { params: { task_id: taskId } }),
);

export const sendCallback = defineAction(taskInput, ({ taskId }) =>
  callGateway("sendTaskCallback", { params: { task_id: taskId } }),
);

const ofProject = { projectId: z.string() };

/** An action, since the browser caches reads. */
export const retrieveCallbackSecret = defineAction(z.strictObject(ofProject), ({ projectId }) =>
  callGateway("retrieveCallbackSecret", { params: { project_id: projectId } }),
);

const replaceSecretInput = z.extend(callbackSecretRotation, ofProject);

export const replaceCallbackSecret = defineAction(replaceSecretInput, ({ projectId, replaces }) =>
  callGateway("rotateCallbackSecret", { params: { project_id: projectId }, body: { replaces } }),
);

const testCallbackInput = z.extend(testCallbackRequest, ofProject);

export const sendTestCallback = defineAction(testCallbackInput, ({ projectId, callback_url }) =>
  callGateway("sendTestCallback", { params: { project_id: projectId }, body: { callback_url } }),
);
