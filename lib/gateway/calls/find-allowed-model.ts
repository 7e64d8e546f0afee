import { type ModelFamily, mediaFamilies } from "@/lib/contract/calls/model-families";
import type { Operation } from "@/lib/contract/operation";
import { authenticate, findPresentCaller } from "../access/authenticate";
import { authorize } from "../access/authorize";
import type { Caller } from "../access/caller";
import { findChargedProject } from "../access/caller-projects";
import type { ChangeRequestContext } from "../access/change-request";
import { isModelInScope, refuseModelOutsideScope } from "../access/key-scope";
import type { KeyScope } from "../keys/key-records";
import { type Catalogue, type CatalogueModel, isCallable } from "../models/catalogue";
import { noSuchModel } from "../models/models";
import type { ModelPermissionCache } from "../projects/model-permissions";
import type { Endpoint } from "../providers/provider-client";
import { invalid, Refusal, unauthenticated } from "../refusal";
import type { RequestHeaders } from "../request-headers";
import { findRunAsKey } from "./run-as";

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
}

/**
 * @throws Refusal 404 for an unknown model; 403 for one that the project or the key may not call; 400 for one of
 * another endpoint.
 */
export function findAllowedModel(
  { catalogue, modelPermissionCache }: AllowedModelContext,
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
