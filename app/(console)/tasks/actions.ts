"use server";

import * as z from "zod/mini";
import { action } from "@/lib/console/actions/action";
import { callGateway } from "@/lib/console/gateway/gateway-client";

const one = z.strictObject({ taskId: z.string() });

export const cancelTask = action(one, ({ taskId }) =>
  callGateway("cancelTask", { params: { task_id: taskId } }),
);

export const sendCallback = action(one, ({ taskId }) =>
  callGateway("sendTaskCallback", { params: { task_id: taskId } }),
);
