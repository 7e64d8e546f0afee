"use server";

import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";

export const deleteAdminKey = defineAction(
  z.strictObject({ keyId: z.string(), version: knownVersion }),
  ({ keyId, version }) =>
    callGateway("deleteAdminApiKey", { params: { key_id: keyId }, headers: ifMatch(version) }),
);
