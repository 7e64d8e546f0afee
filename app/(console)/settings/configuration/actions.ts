"use server";

import { defineAction } from "@/lib/console/actions/define-action";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { MINUTE_MS } from "@/lib/contract/durations";
import { openaiImportRequest } from "@/lib/contract/operations/configuration/configuration";

/** Hundreds of projects are many pages, and a busy server is waited for. */
const READING_MS = 15 * MINUTE_MS;

export const planOpenaiImport = defineAction(openaiImportRequest, (body) =>
  callGateway("planOpenaiImport", { body, timeoutMs: READING_MS }),
);
