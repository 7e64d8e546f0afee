"use server";

import * as z from "zod/mini";
import { keyLifetime, toExpiry } from "@/components/keys/key-lifetime";
import { defineAction, defineCreateAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { serviceAccountChange } from "@/lib/contract/operations/keys/service-accounts";
import { displayName } from "@/lib/contract/schema";
import { toKeyScopeFields } from "../key-scope";
import { keyScopeForm } from "../key-scope-form";

const projectInput = z.strictObject({ projectId: z.string() });
const newKey = { name: displayName, lifetime: keyLifetime, ...keyScopeForm.shape };

export const createServiceAccount = defineCreateAction(
  z.extend(projectInput, newKey),
  ({ projectId, name, lifetime, ...scope }, headers) =>
    callGateway("createServiceAccount", {
      params: { project_id: projectId },
      body: { name, ...toExpiry(lifetime), ...toKeyScopeFields(scope) },
      headers,
    }),
);

const accountInput = z.extend(projectInput, { accountId: z.string() });

export const createServiceAccountKey = defineCreateAction(
  z.extend(accountInput, newKey),
  ({ projectId, accountId, name, lifetime, ...scope }, headers) =>
    callGateway("createServiceAccountKey", {
      params: { project_id: projectId, service_account_id: accountId },
      body: { name, ...toExpiry(lifetime), ...toKeyScopeFields(scope) },
      headers,
    }),
);

const versionedInput = z.extend(accountInput, { version: knownVersion });

export const changeServiceAccount = defineAction(
  z.extend(versionedInput, { change: serviceAccountChange }),
  ({ projectId, accountId, change, version }) =>
    callGateway("changeServiceAccount", {
      params: { project_id: projectId, service_account_id: accountId },
      body: change,
      headers: ifMatch(version),
    }),
);

export const deleteServiceAccount = defineAction(versionedInput, ({ projectId, accountId, version }) =>
  callGateway("deleteServiceAccount", {
    params: { project_id: projectId, service_account_id: accountId },
    headers: ifMatch(version),
  }),
);
