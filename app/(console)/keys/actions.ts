"use server";

import * as z from "zod/mini";
import { action, createAction } from "@/lib/console/action";
import { callGateway } from "@/lib/console/gateway-client";
import { ifMatch, knownVersion } from "@/lib/console/if-match";
import { displayName } from "@/lib/contract/schema";

const creating = z.strictObject({ projectId: z.string(), name: displayName });

export const createKey = createAction(creating, ({ projectId, name }, headers) =>
  callGateway("createProjectApiKey", { params: { project_id: projectId }, body: { name }, headers }),
);

const deleting = z.strictObject({ projectId: z.string(), keyId: z.string(), version: knownVersion });

export const deleteKey = action(deleting, ({ projectId, keyId, version }) =>
  callGateway("deleteProjectApiKey", {
    params: { project_id: projectId, key_id: keyId },
    headers: ifMatch(version),
  }),
);
