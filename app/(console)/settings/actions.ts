"use server";

import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { MINUTE_MS } from "@/lib/contract/durations";
import { openaiImportRequest } from "@/lib/contract/operations/configuration/configuration";
import { organizationChange } from "@/lib/contract/operations/projects/organization";

export const changeOrganization = defineAction(
  z.strictObject({ change: organizationChange, version: knownVersion }),
  ({ change: body, version }) => callGateway("changeOrganization", { body, headers: ifMatch(version) }),
);

/** Hundreds of projects are many pages, and a busy server is waited for. */
const READING_MS = 15 * MINUTE_MS;

export const planOpenaiImport = defineAction(openaiImportRequest, (body) =>
  callGateway("planOpenaiImport", { body, timeoutMs: READING_MS }),
);
