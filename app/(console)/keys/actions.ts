"use server";

import * as z from "zod/mini";
import { keyLifetime, toExpiry } from "@/components/keys/key-lifetime";
import { defineAction, defineCreateAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { keyChanges } from "@/lib/contract/operations/keys/key-changes";
import { projectApiKeyChange } from "@/lib/contract/operations/keys/project-api-keys";
import { serviceAccountChange } from "@/lib/contract/operations/keys/service-accounts";
import { displayName, secretText } from "@/lib/contract/schema";
import { toKeyScopeFields } from "./key-scope";
import { keyScopeForm } from "./key-scope-form";

/** The key is sent only in a request body, since addresses are logged. */
export const findKey = defineAction(z.strictObject({ value: secretText }), (body) =>
  callGateway("findApiKey", { body }),
);

const createInput = z.extend(keyScopeForm, {
  projectId: z.string(),
  name: displayName,
  lifetime: keyLifetime,
});

export const createKey = defineCreateAction(createInput, ({ projectId, name, lifetime, ...scope }, headers) =>
  callGateway("createProjectApiKey", {
    params: { project_id: projectId },
    body: { name, ...toExpiry(lifetime), ...toKeyScopeFields(scope) },
    headers,
  }),
);

const scopeInput = z.strictObject({
  projectId: z.string(),
  keyId: z.string(),
  change: z.partial(keyScopeForm),
  version: knownVersion,
});

export const saveKeyScope = defineAction(scopeInput, ({ projectId, keyId, change, version }) =>
  callGateway("changeProjectApiKey", {
    params: { project_id: projectId, key_id: keyId },
    body: toKeyScopeFields(change),
    headers: ifMatch(version),
  }),
);

const rotateInput = z.strictObject({ projectId: z.string(), keyId: z.string(), overlapSeconds: z.number() });

export const rotateKey = defineCreateAction(rotateInput, ({ projectId, keyId, overlapSeconds }, headers) =>
  callGateway("rotateProjectApiKey", {
    params: { project_id: projectId, key_id: keyId },
    body: { overlap_seconds: overlapSeconds },
    headers,
  }),
);

const renameInput = z.strictObject({
  projectId: z.string(),
  keyId: z.string(),
  change: z.pick(projectApiKeyChange, { name: true }),
  version: knownVersion,
});

export const renameKey = defineAction(renameInput, ({ projectId, keyId, change, version }) =>
  callGateway("changeProjectApiKey", {
    params: { project_id: projectId, key_id: keyId },
    body: change,
    headers: ifMatch(version),
  }),
);

const deleteInput = z.strictObject({ projectId: z.string(), keyId: z.string(), version: knownVersion });

export const deleteKey = defineAction(deleteInput, ({ projectId, keyId, version }) =>
  callGateway("deleteProjectApiKey", {
    params: { project_id: projectId, key_id: keyId },
    headers: ifMatch(version),
  }),
);

const manyInput = z.extend(keyChanges, { projectId: z.string() });

/** Does one thing to several keys: all or none. */
export const changeKeys = defineAction(manyInput, ({ projectId, ...body }) =>
  callGateway("changeProjectApiKeys", { params: { project_id: projectId }, body }),
);

/** Returns what it would do to each of them, without doing it. */
export const previewKeys = defineAction(manyInput, ({ projectId, ...body }) =>
  callGateway("previewProjectApiKeyChanges", { params: { project_id: projectId }, body }),
);

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
