import { providerProtocols } from "@/lib/contract/calls/provider-protocols";
import type {
  AnthropicModel,
  ListedModel,
  OrganizationModel,
  OrganizationModelFilter,
} from "@/lib/contract/operations/models/models";
import { formatAmount, type Nano } from "@/lib/money/amount";
import { type AuthenticationContext, authenticateAgain } from "../../access/authenticate";
import { findNamedProject, isModelInScope } from "../../access/authorize";
import type { Caller } from "../../access/caller";
import type { ChangeRequest } from "../../changes/change";
import { toUnixSeconds } from "../../clock";
import { findDialect } from "../../http/response";
import { listInMemory } from "../../lists/paged-list";
import { type CatalogueModel, isCallable } from "../../models/catalogue";
import { importModels } from "../../models/import-models";
import { writePrice, writeUnitPrice } from "../../models/model-entry";
import {
  changeModel,
  createModel,
  findCallableModel,
  findModel,
  type ModelContext,
} from "../../models/models";
import type { ModelPermissionCache, ProjectCache } from "../../projects/projects";
import { missingPermission } from "../../refusal";
import type { RequestHeaders } from "../../request-headers";
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
  const toOrganizationModel = (model: CatalogueModel) => describeModel(model, organization.currency);
  return {
    listModels: async (call) => {
      const models = catalogue.list().filter(isCallable).filter(visibleTo(call));
      if (findDialect(call.headers) === "openai")
        return { object: "list", data: models.map((model) => toListedModel(context, model)) };
      const { limit = ANTHROPIC_PAGE, after_id: after, before_id: before } = call.query;
      const page = { limit, after, before };
      const { object: _, ...modelPage } = await paginate(listInMemory(models), page, toAnthropicModel);
      return modelPage;
    },
    retrieveModel: async (call) => {
      const isVisible = visibleTo(call);
      const model = findCallableModel(catalogue, call.params.model_id, isVisible);
      return findDialect(call.headers) === "anthropic"
        ? toAnthropicModel(model)
        : toListedModel(context, model);
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

function toAnthropicModel(model: CatalogueModel): AnthropicModel {
  const { id, createdAtMs, contextWindow, maxOutputTokens } = model;
  const bounds = { max_input_tokens: contextWindow, max_tokens: maxOutputTokens };
  return {
    type: "model",
    id,
    display_name: id,
    created_at: new Date(createdAtMs).toISOString(),
    ...bounds,
  };
}

function toListedModel(
  { directory, organization }: Pick<Context, "directory" | "organization">,
  model: CatalogueModel,
): ListedModel {
  const { id, family, routes, createdAtMs } = model;
  const owner = routes[0]?.provider ?? "";
  const own = directory.find(owner)?.protocols ?? [];
  const spoken = providerProtocols.toSorted(
    (one, other) => Number(own.includes(other)) - Number(own.includes(one)),
  );
  return {
    object: "model",
    id,
    created: toUnixSeconds(createdAtMs),
    owned_by: owner,
    context_length: model.contextWindow,
    max_output_tokens: model.maxOutputTokens,
    pricing: { currency: organization.currency, ...describePricing(model) },
    supported_protocols: family === "chat" ? spoken : [],
    input_modalities: model.inputModalities && [...model.inputModalities],
  };
}

/** Prices as the project pays them, which are exact to the last digit. */
function describePricing({
  price,
  unitPrice,
  rate,
}: CatalogueModel): Omit<ListedModel["pricing"], "currency"> {
  if (unitPrice) return { unit: unitPrice.unit, per_unit: multiply(unitPrice.amount, rate, 0) };
  if (!price) return {};
  const perToken = (amount: Nano) => multiply(amount, rate, 6);
  const { cachedInputPer1m: read, cacheWrite5mPer1m: written } = price.classes ?? {};
  return {
    prompt: perToken(price.inputPer1m),
    completion: perToken(price.outputPer1m),
    ...(read !== undefined && { input_cache_read: perToken(read) }),
    ...(written !== undefined && { input_cache_write: perToken(written) }),
  };
}

/** The product of two amounts of nine decimals each, divided by a power of ten, as a decimal string. */
function multiply(amount: Nano, rate: Nano, places: number): string {
  const digits = (amount * rate).toString().padStart(19 + places, "0");
  const point = digits.length - 18 - places;
  const text = `${digits.slice(0, point)}.${digits.slice(point)}`;
  return text.replace(/\.?0+$/, "");
}

export function describeModel(model: CatalogueModel, currency: string): OrganizationModel {
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
    input_modalities: model.inputModalities && [...model.inputModalities],
    routes: [...model.routes],
    projects: model.projects && [...model.projects],
    source,
    sandbox,
    default_rate_limits: model.defaultRateLimits,
  };
}

interface ModelImportsContext extends ModelContext, AuthenticationContext {
  readonly organization: { readonly currency: string };
}

export function modelImportRoutes(context: ModelImportsContext): Handlers<"importModels"> {
  return {
    importModels: async ({ body, request, headers }) => {
      const allowed = body.provider ? requiringProviders(context, request, headers) : request;
      const { provider, models } = await importModels(context, allowed, body);
      const { currency } = context.organization;
      return {
        object: "organization.model_import",
        provider_id: provider.id,
        models: models.map((model) => describeModel(model, currency)),
      };
    },
  };
}

/** The same for a caller who may add providers, too. */
function requiringProviders(
  context: AuthenticationContext,
  request: ChangeRequest,
  headers: RequestHeaders,
): ChangeRequest {
  return {
    ...request,
    authorize() {
      request.authorize();
      const caller = authenticateAgain(context, headers);
      if (!caller.permissionsIn(null).has("api.providers.write"))
        throw missingPermission("api.providers.write");
    },
  };
}
