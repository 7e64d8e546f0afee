"use server";

import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { organizationChange } from "@/lib/contract/operations/projects/organization";

export const changeOrganization = defineAction(
  z.strictObject({ change: organizationChange, version: knownVersion }),
  ({ change: body, version }) => callGateway("changeOrganization", { body, headers: ifMatch(version) }),
);
