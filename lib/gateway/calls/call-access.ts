import { otherEvents } from "@/lib/contract/access/audit-events";
import type { Permission } from "@/lib/contract/access/permissions";
import { type ModelFamily, mediaFamilies } from "@/lib/contract/calls/model-families";
import type { Operation } from "@/lib/contract/operation";
import { type CallPreview, RUN_AS_HEADER } from "@/lib/contract/operations/calls/completions";
import type { RequestClient } from "@/lib/contract/operations/calls/receipt-parts";
import { formatAmount } from "@/lib/money/amount";
import { authenticate, findCallerByKeyId, findPresentCaller } from "../access/authenticate";
import { authorize, findChargedProject, isModelInScope, refuseModelOutsideScope } from "../access/authorize";
import type { Caller } from "../access/caller";
import { buildChangeRequest, type ChangeRequestContext } from "../access/change-request";
import { type ChangeContext, change, withEventType } from "../changes/change";
import type { RequestContext } from "../http/server";
import type { KeyScope, ProjectKeyRecord } from "../keys/key-records";
import type { KeyStore } from "../keys/key-store.sql";
import { refuseStrongerKey } from "../keys/project-keys";
import { type Catalogue, type CatalogueModel, isCallable } from "../models/catalogue";
import { noSuchModel } from "../models/models";
import type { ProviderDirectory } from "../models/providers/provider-directory";
import type { ModelPermissionCache, ProjectCache } from "../projects/projects";
import type { Endpoint } from "../providers/provider-client";
import { findCircuitRefusal, type ProviderLinks } from "../providers/provider-link";
import { isRunning } from "../providers/routing/order-routes";
import { invalid, missingPermission, notFound, Refusal, unauthenticated } from "../refusal";
import type { RequestHeaders } from "../request-headers";
import type { Scope } from "../scope";
import {
  type DescribeContext,
  describeForAdmission,
  isRefusedByTokens,
  type PromptCounter,
} from "./holds/admit-and-hold";
import { computeExpectedCharge, type HoldContext } from "./holds/held-call";
import type { IncomingCall } from "./requests/incoming-call";
import { type CompletionRequest, findCounting, refuseCallback } from "./requests/prepared-request";

/** The model families that each endpoint serves. */
const familiesAt: Readonly<Record<Endpoint, readonly ModelFamily[]>> = {
  "chat/completions": ["chat", ...mediaFamilies],
  embeddings: ["embedding"],
  moderations: ["moderation"],
  "images/generations": ["image"],
  "images/edits": ["image"],
  videos: ["video"],
  "audio/speech": ["speech"],
  "audio/transcriptions": ["transcription"],
  "audio/translations": ["transcription"],
};

export interface AllowedModelContext {
  readonly catalogue: Pick<Catalogue, "find" | "list">;
  readonly modelPermissionCache: Pick<ModelPermissionCache, "allows">;
  readonly projectCache: Pick<ProjectCache, "find">;
}

/**
 * @throws Refusal 404 for an unknown model; 403 for one that the project or the key may not call; 400 for one of
 * another endpoint.
 */
export function findAllowedModel(
  { catalogue, modelPermissionCache }: Omit<AllowedModelContext, "projectCache">,
  projectId: string,
  id: string,
  scope?: KeyScope,
  endpoint: Endpoint = "chat/completions",
): CatalogueModel {
  const model = catalogue.find(id);
  if (!model) {
    const isVisible = (known: CatalogueModel) =>
      isCallable(known) &&
      supportsFamily(endpoint, known.family) &&
      modelPermissionCache.allows(projectId, known.id) &&
      isModelInScope(scope, known.id);
    throw noSuchModel("model", id, catalogue.list().filter(isVisible));
  }
  if (!modelPermissionCache.allows(projectId, id)) throw modelNotAllowed(id);
  refuseModelOutsideScope(scope, id);
  if (!supportsFamily(endpoint, model.family))
    throw invalid("model", `"${id}" is of the family ${model.family}: it doesn't answer at /v1/${endpoint}.`);
  if (isCallable(model)) return model;
  const message = `"${id}" has no price, so it can't be called. Set its price first; free is a price of 0.`;
  throw invalid("model", message, "model_not_priced");
}

function modelNotAllowed(id: string): Refusal {
  const message = `This project may not call "${id}". Those it may call are listed at /v1/models.`;
  return new Refusal(403, "permission_error", "model_not_allowed", message, { param: "model" });
}

function supportsFamily(endpoint: Endpoint, family: ModelFamily): boolean {
  return familiesAt[endpoint].includes(family);
}

/** Who makes a call of a model. */
export interface CallMaker {
  readonly operation: Operation;
  readonly headers: RequestHeaders;
  readonly sender: Caller;
  /** The sender, or what they run as. */
  readonly caller: Caller;
  /** Whether the caller is another key than the sender. */
  readonly isRunAs: boolean;
  /** The batch whose line it is; absent for a live call. */
  readonly batchId?: string | undefined;
}

/**
 * Refuses a call whose maker lost access: while it waits for its body, its idempotency key or its hold, and while it is
 * answered. The line of a batch has no token, and goes on with a key that was rotated.
 * @param model that it calls; absent while its body is unread.
 * @throws Refusal 400 for a project that was archived, 401, 403 or 404.
 */
export function refuseEndedAccess(
  context: ChangeRequestContext & { readonly modelPermissionCache: Pick<ModelPermissionCache, "allows"> },
  maker: CallMaker,
  model: string | undefined,
): void {
  const { operation, headers, sender, caller, isRunAs, batchId } = maker;
  const present =
    batchId === undefined ? authenticate(context, headers) : findPresentCaller(context, sender.keyId);
  if (!present) throw unauthenticated();
  authorize(operation, present, {}, headers.get("openai-project"));
  const acting = isRunAs
    ? findRunAsKey(context, present, headers, { id: caller.keyId, operation }).keyCaller
    : present;
  const projectId = findChargedProject(context.projectCache, acting, headers);
  if (model === undefined) return;
  refuseModelOutsideScope(acting.scope, model);
  if (!context.modelPermissionCache.allows(projectId, model)) throw modelNotAllowed(model);
}

export interface RunAsContext extends ChangeRequestContext, ChangeContext {
  readonly keys: Pick<KeyStore, "noteRunAs">;
}

/** The caller whose permissions, scopes and limits apply to a call, and the person who makes it as that caller. */
interface ActingCaller {
  readonly caller: Caller;
  readonly runBy: RequestClient["run_by"];
}

/**
 * Returns the caller of a call to an operation. With the header `x-gatehouse-run-as`, that is another key or a role.
 * Each call made as a key is in the audit log before it is sent.
 * @throws Refusal 400, 403 or 404.
 */
export function findActingCaller(
  context: RunAsContext,
  requestContext: RequestContext,
  caller: Caller,
  operation: Operation,
): ActingCaller | Promise<ActingCaller> {
  const id = requestContext.request.headers.get(RUN_AS_HEADER);
  if (id === null) return { caller, runBy: null };
  if (caller.projectId !== null)
    throw invalid(
      RUN_AS_HEADER,
      "A project's key can't run as another key. Leave this header out, or sign in to the console.",
    );
  if (id.startsWith("role_")) return asRole(context, requestContext, caller, { id, operation });
  return asKey(context, requestContext, caller, { id, operation });
}

/** Whether an operation only answers a question about a call: what is sent to a provider is paid for. */
const isDryRun = ({ effect }: Operation) => effect !== "pays";

type As = { readonly id: string; readonly operation: Operation };

async function asKey(
  context: RunAsContext,
  requestContext: RequestContext,
  caller: Caller,
  { id, operation }: As,
): Promise<ActingCaller> {
  const { headers } = requestContext.request;
  const { key, keyCaller } = findRunAsKey(context, caller, headers, { id, operation });
  if (!isDryRun(operation)) {
    const request = buildChangeRequest(context, operation, {
      requestId: requestContext.requestId,
      caller,
      headers,
      address: requestContext.address(),
      params: {},
    });
    await change(context, withEventType(otherEvents.apiKeyRunAs, request), (transaction) =>
      context.keys.noteRunAs(transaction, key),
    );
  }
  // The caller keeps the person's own id, so that the call ends if the person loses access.
  return { caller: { ...keyCaller, id: caller.id }, runBy: { id: caller.keyId, name: caller.name } };
}

/**
 * Returns the key that a person runs a call as, with its caller, as both are now.
 * @throws Refusal 400, 403 or 404 if the person may not run it as this key, or the key may not make it.
 */
function findRunAsKey(
  context: ChangeRequestContext,
  person: Caller,
  headers: RequestHeaders,
  { id, operation }: As,
): { readonly key: ProjectKeyRecord; readonly keyCaller: Caller } {
  const { keyCache, runtime } = context;
  const active = keyCache.findById(id, runtime.clock.nowMs());
  const key = active?.kind === "project_key" ? active.key : null;
  const keyCaller = key && findCallerByKeyId(context, id);
  if (!key || !keyCaller || !person.permissionsIn(key.projectId).has("api.project_api_keys.read"))
    throw notFound("key", id, RUN_AS_HEADER);
  refuseWithoutKeyRights(context, person, key);
  const namedProjectId = headers.get("openai-project");
  if (namedProjectId && namedProjectId !== key.projectId)
    throw invalid(
      "OpenAI-Project",
      "The key belongs to another project. Leave the header out, or name that one.",
    );
  authorize(operation, keyCaller, {});
  return { key, keyCaller };
}

/** Requires the permission to create the same key, or to rotate it and so get its value. @throws Refusal 403. */
function refuseWithoutKeyRights(context: ChangeRequestContext, caller: Caller, key: ProjectKeyRecord): void {
  const permissions = caller.permissionsIn(key.projectId);
  for (const permission of ["api.playground.write", "api.project_api_keys.write"] as const)
    if (!permissions.has(permission)) throw missingPermission(permission);
  refuseStrongerKey(context.graph, caller, key);
}

/** Returns a caller who holds only a role, for dry runs. Its refusals show no more than the person may read. */
function asRole(
  { graph }: RunAsContext,
  requestContext: RequestContext,
  caller: Caller,
  { id, operation }: As,
): ActingCaller {
  const role = graph.findRole(id);
  if (!role || !caller.permissionsIn(role.projectId).has("api.roles.read"))
    throw notFound("role", id, RUN_AS_HEADER);
  if (!isDryRun(operation))
    throw invalid(RUN_AS_HEADER, "A role sends no calls. Preview the call as this role, or run it as a key.");
  const rolePermissions: ReadonlySet<Permission> = new Set(role.permissions);
  const both = (scope: Scope) =>
    new Set([...rolePermissions].filter((permission) => caller.permissionsIn(scope).has(permission)));
  const holder = { kind: "role" as const, id };
  const roleCaller: Caller = {
    ...caller,
    holder,
    permissions: rolePermissions,
    permissionsIn: () => rolePermissions,
  };
  authorize(operation, roleCaller, {}, requestContext.request.headers.get("openai-project"));
  return { caller: { ...roleCaller, permissionsIn: both }, runBy: null };
}

export interface PreviewContext
  extends Pick<HoldContext, "admissions">,
    AllowedModelContext,
    DescribeContext {
  readonly directory: Pick<ProviderDirectory, "find">;
  readonly links: ProviderLinks;
  readonly promptCounter: Pick<PromptCounter, "count" | "learn">;
  readonly organization: { readonly currency: string };
}

/**
 * Returns the outcome that a chat request would have now, by the rules of admission. Counts, holds, logs and sends
 * nothing.
 * @throws Refusal for a request that would be refused before admission.
 */
export async function previewCall(
  context: PreviewContext,
  call: Pick<IncomingCall<CompletionRequest>, "caller" | "request" | "projectId">,
): Promise<CallPreview> {
  const { caller, request, projectId } = call;
  const model = findAllowedModel(context, projectId, request.fields.model, caller.scope);
  refuseCallback(request.fields);
  const estimate = await request.estimate(findCounting(context, model, projectId));
  const { admissions, promptCounter } = context;
  let admissionRequest = describeForAdmission(context, call, model, estimate);
  const countFiner = async () => {
    admissionRequest = await promptCounter.count(model, request, admissionRequest);
  };
  const isTight = await admissions.isTight(admissionRequest);
  if (isTight) await countFiner();
  let admission = await admissions.preview(admissionRequest);
  if (!isTight && isRefusedByTokens(admission.refusal)) {
    await countFiner();
    admission = await admissions.preview(admissionRequest);
  }
  const { holdAmount, maxOutputTokens, estimatedTokens, limits } = admission;
  const routes = model.routes.filter((route) => isRunning(route, context.links.nowMs()));
  const refusal = findCircuitRefusal(context, routes) ?? admission.refusal;
  return {
    object: "chat.completion.preview",
    model: model.id,
    project_id: projectId,
    prompt_tokens: admissionRequest.promptTokens,
    estimated_tokens: estimatedTokens,
    max_output_tokens: maxOutputTokens,
    currency: context.organization.currency,
    hold: formatAmount(holdAmount),
    expected_charge: formatAmount(computeExpectedCharge(admissionRequest)),
    limits: limits.map(({ field, max, used, requested }) => ({ field, max, used, requested })),
    refusal: refusal && describeRefusal(refusal.asSeenBy(caller.permissionsIn)),
  };
}

/** The error of the refused call, without the id of a request that was never made. */
export function describeRefusal(refusal: Refusal): NonNullable<CallPreview["refusal"]> {
  const { message, type, code, limit, balance, spend_limit, circuit } = refusal.body("").error;
  return {
    status: refusal.status,
    message,
    type,
    code,
    ...(limit && { limit }),
    ...(balance && { balance }),
    ...(spend_limit && { spend_limit }),
    ...(circuit && { circuit }),
  };
}
