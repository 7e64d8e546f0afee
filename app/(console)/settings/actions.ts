"use server";

import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { displayName } from "@/lib/contract/schema";

const renameInput = z.strictObject({ name: displayName, version: knownVersion });

export const renameOrganization = defineAction(renameInput, ({ name, version }) =>
  callGateway("changeOrganization", { body: { name }, headers: ifMatch(version) }),
);
