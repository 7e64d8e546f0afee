"use server";

import * as z from "zod/mini";
import { defineAction, defineCreateAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion, knownVersionOrNone } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import type { GatewayReply } from "@/lib/console/gateway/problem";
import { type SpendAlert, spendAlertDraft } from "@/lib/contract/operations/money/spend-alerts";
import { type SpendLimit, spendLimitDraft } from "@/lib/contract/operations/money/spend-limits";

type Known<Saved> = GatewayReply<Saved & { version?: string | undefined }>;
type Gone = GatewayReply<{ deleted: true }>;

/** A null `projectId` means the organization. */
const scopeInput = z.strictObject({ projectId: z.nullable(z.string()) });
const versionedInput = z.extend(scopeInput, { version: knownVersion });

export const saveSpendLimit = defineAction(
  z.extend(scopeInput, { limit: spendLimitDraft, version: knownVersionOrNone }),
  async ({ projectId, limit: body, version }): Promise<Known<SpendLimit>> => {
    return projectId === null
      ? callGateway("saveSpendLimit", { body, headers: ifMatch(version) })
      : callGateway("saveProjectSpendLimit", {
          params: { project_id: projectId },
          body,
          headers: ifMatch(version),
        });
  },
);

export const removeSpendLimit = defineAction(
  versionedInput,
  async ({ projectId, version }): Promise<Gone> => {
    return projectId === null
      ? callGateway("deleteSpendLimit", { headers: ifMatch(version) })
      : callGateway("deleteProjectSpendLimit", {
          params: { project_id: projectId },
          headers: ifMatch(version),
        });
  },
);

export const createSpendAlert = defineCreateAction(
  z.extend(scopeInput, { alert: spendAlertDraft }),
  async ({ projectId, alert: body }, headers): Promise<Known<SpendAlert>> =>
    projectId === null
      ? callGateway("createSpendAlert", { body, headers })
      : callGateway("createProjectSpendAlert", { params: { project_id: projectId }, body, headers }),
);

const alertInput = z.extend(versionedInput, { alertId: z.string() });

export const changeSpendAlert = defineAction(
  z.extend(alertInput, { alert: spendAlertDraft }),
  async ({ projectId, alertId, alert: body, version }): Promise<Known<SpendAlert>> => {
    return projectId === null
      ? callGateway("changeSpendAlert", { params: { alert_id: alertId }, body, headers: ifMatch(version) })
      : callGateway("changeProjectSpendAlert", {
          params: { project_id: projectId, alert_id: alertId },
          body,
          headers: ifMatch(version),
        });
  },
);

export const deleteSpendAlert = defineAction(
  alertInput,
  async ({ projectId, alertId, version }): Promise<Gone> => {
    return projectId === null
      ? callGateway("deleteSpendAlert", { params: { alert_id: alertId }, headers: ifMatch(version) })
      : callGateway("deleteProjectSpendAlert", {
          params: { project_id: projectId, alert_id: alertId },
          headers: ifMatch(version),
        });
  },
);

export const sendFiring = defineAction(z.strictObject({ firingId: z.string() }), ({ firingId }) =>
  callGateway("sendSpendAlertFiring", { params: { firing_id: firingId } }),
);
