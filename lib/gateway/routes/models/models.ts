import type {
  AnthropicModel,
  OrganizationModel,
  OrganizationModelFilter,
} from "@/lib/contract/operations/models/models";
import { formatAmount } from "@/lib/money/amount";
import type { Caller } from "../../access/caller";
import { findNamedProject } from "../../access/caller-projects";
import { isModelInScope } from "../../access/key-scope";
import { findDialect } from "../../http/refuse";
import { listInMemory } from "../../lists/paged-list";
import { type CatalogueModel, isCallable } from "../../models/catalogue";
import { writePrice, writeUnitPrice } from "../../models/model-entry";
import {
  changeModel,
  createModel,
  findCallableModel,
  findModel,
  type ModelContext,
} from "../../models/models";
import type { ModelPermissionCache } from "../../projects/model-permissions";
import type { ProjectCache } from "../../projects/projects";
import type { RequestHeaders } from "../../request-headers";
import { toUnixSeconds } from "../../unix-seconds";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

type Ids =
  | "listModels"
  | "retrieveModel"
  | "listOrganizationModels"
  | "createOrganizationModel"
  | "retrieveOrganizationModel"
  | "changeOrganizationModel";

interface Context extends ModelContext {
  readonly organization: { readonly currency: string };
  readonly projectCache: ProjectCache;
  readonly modelPermissionCache: ModelPermissionCache;
}

export function modelRoutes(context: Context): Handlers<Ids> {
  const { catalogue, organization, projectCache, modelPermissionCache } = context;
  /** The models that a caller sees: those that its project may call. */
  const visibleTo = ({ caller, headers }: { caller: Caller; headers: RequestHeaders }) => {
    const projectId = findNamedProject(projectCache, caller, headers);
    return ({ id }: { id: string }) =>
      (projectId === null || modelPermissionCache.allows(projectId, id)) && isModelInScope(caller.scope, id);
  };
  const toOrganizationModel = (model: CatalogueModel) => describe(model, organization.currency);
  return {
    listModels: async (call) => {
      const models = catalogue.list().filter(isCallable).filter(visibleTo(call));
      if (findDialect(call.headers) === "openai") return { object: "list", data: models.map(toListedModel) };
      const { limit = ANTHROPIC_PAGE, after_id: after, before_id: before } = call.query;
      const page = { limit, after, before };
      const { object: _, ...modelPage } = await paginate(listInMemory(models), page, toAnthropicModel);
      return modelPage;
    },
    retrieveModel: async (call) => {
      const isVisible = visibleTo(call);
      const model = findCallableModel(catalogue, call.params.model_id, isVisible);
      return findDialect(call.headers) === "anthropic" ? toAnthropicModel(model) : toListedModel(model);
    },
    listOrganizationModels: ({ query }) =>
      paginate(
        listInMemory(catalogue.list().filter((model) => matches(model, query))),
        query,
        toOrganizationModel,
      ),
    createOrganizationModel: async ({ body, request }) =>
      toOrganizationModel(await createModel(context, request, body)),
    retrieveOrganizationModel: async ({ params }) =>
      toOrganizationModel(findModel(catalogue, params.model_id)),
    changeOrganizationModel: async ({ params, body, request }) =>
      toOrganizationModel(await changeModel(context, request, params.model_id, body)),
  };
}

function matches(model: CatalogueModel, { family, priced, sandbox }: OrganizationModelFilter): boolean {
  const hasPrice = model.price !== null || model.unitPrice !== null;
  return (
    (family ?? model.family) === model.family &&
    (priced ?? hasPrice) === hasPrice &&
    (sandbox ?? model.sandbox) === model.sandbox
  );
}

/** Anthropic's default page size. */
const ANTHROPIC_PAGE = 20;

function toAnthropicModel({ id, createdAtMs }: CatalogueModel): AnthropicModel {
  return { type: "model", id, display_name: id, created_at: new Date(createdAtMs).toISOString() };
}

function toListedModel({ id, routes, createdAtMs }: CatalogueModel) {
  const owned_by = routes[0]?.provider ?? "";
  return { object: "model" as const, id, created: toUnixSeconds(createdAtMs), owned_by };
}

function describe(model: CatalogueModel, currency: string): OrganizationModel {
  const { id, family, description, price, source, sandbox } = model;
  return {
    object: "organization.model",
    id,
    family,
    description,
    currency,
    rate: formatAmount(model.rate),
    batch_rate: model.batchRate && formatAmount(model.batchRate),
    price: price && writePrice(price),
    unit_price: model.unitPrice && writeUnitPrice(model.unitPrice),
    audio_price: model.audioPrice && writePrice(model.audioPrice),
    price_set_at: model.pricedAtMs === null ? null : toUnixSeconds(model.pricedAtMs),
    max_output_tokens: model.maxOutputTokens,
    context_window: model.contextWindow,
    routes: [...model.routes],
    source,
    sandbox,
    default_rate_limits: model.defaultRateLimits,
  };
}
