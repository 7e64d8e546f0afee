"use server";

import * as z from "zod/mini";
import { action } from "@/lib/console/action";
import { callGateway } from "@/lib/console/gateway-client";
import { displayName } from "@/lib/contract/schema";

const creating = z.strictObject({ projectId: z.string(), name: displayName });

export const createKey = action(creating, ({ projectId, name }) =>
  callGateway("createProjectApiKey", { params: { project_id: projectId }, body: { name } }),
);

const deleting = z.strictObject({ projectId: z.string(), keyId: z.string() });

export const deleteKey = action(deleting, ({ projectId, keyId }) =>
  callGateway("deleteProjectApiKey", { params: { project_id: projectId, key_id: keyId } }),
);
