"use server";

import * as z from "zod/mini";
import { action, createAction } from "@/lib/console/action";
import { callGateway } from "@/lib/console/gateway-client";
import { ifMatch, knownVersion } from "@/lib/console/if-match";
import { projectApiKeyChange } from "@/lib/contract/operations/project-api-keys";
import { displayName } from "@/lib/contract/schema";

const creating = z.strictObject({ projectId: z.string(), name: displayName });

export const createKey = createAction(creating, ({ projectId, name }, headers) =>
  callGateway("createProjectApiKey", { params: { project_id: projectId }, body: { name }, headers }),
);

const renaming = z.strictObject({
  projectId: z.string(),
  keyId: z.string(),
  change: z.pick(projectApiKeyChange, { name: true }),
  version: knownVersion,
});

export const renameKey = action(renaming, ({ projectId, keyId, change, version }) =>
  callGateway("changeProjectApiKey", {
    params: { project_id: projectId, key_id: keyId },
    body: change,
    headers: ifMatch(version),
  }),
);

const deleting = z.strictObject({ projectId: z.string(), keyId: z.string(), version: knownVersion });

export const deleteKey = action(deleting, ({ projectId, keyId, version }) =>
  callGateway("deleteProjectApiKey", {
    params: { project_id: projectId, key_id: keyId },
    headers: ifMatch(version),
  }),
);
