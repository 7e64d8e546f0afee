"use server";

import * as z from "zod/mini";
import { keyLifetime, toExpiry } from "@/components/keys/key-lifetime";
import { defineAction, defineCreateAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { displayName } from "@/lib/contract/schema";

export const createToken = defineCreateAction(
  z.strictObject({ name: displayName, lifetime: keyLifetime }),
  ({ name, lifetime }, headers) =>
    callGateway("createAdminApiKey", { body: { name, role: "directory", ...toExpiry(lifetime) }, headers }),
);

const keyInput = z.strictObject({ projectId: z.string(), keyId: z.string(), version: knownVersion });

export const keepKey = defineAction(keyInput, ({ projectId, keyId, version }) =>
  callGateway("changeProjectApiKey", {
    params: { project_id: projectId, key_id: keyId },
    body: { keep: true },
    headers: ifMatch(version),
  }),
);

export const revokeKey = defineAction(keyInput, ({ projectId, keyId, version }) =>
  callGateway("deleteProjectApiKey", {
    params: { project_id: projectId, key_id: keyId },
    headers: ifMatch(version),
  }),
);
