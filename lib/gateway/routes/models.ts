import type { OrganizationModel } from "@/lib/contract/operations/models";
import { formatAmount } from "@/lib/money/amount";
import type { CatalogueModel } from "../models/catalogue";
import { changeModel } from "../models/change-model";
import { createModel } from "../models/create-model";
import { findCallableModel } from "../models/find-model";
import { isCallable } from "../models/is-callable";
import type { ModelContext } from "../models/model-context";
import type { Handlers } from "./handler";
import { paginate } from "./paginate";
import { toUnixSeconds } from "./unix-seconds";

type Ids =
  | "listModels"
  | "retrieveModel"
  | "listOrganizationModels"
  | "createOrganizationModel"
  | "changeOrganizationModel";

export function modelRoutes(
  context: ModelContext & { organization: { readonly currency: string } },
): Handlers<Ids> {
  const { catalogue, organization } = context;
  const toOrganizationModel = (model: CatalogueModel) => describe(model, organization.currency);
  return {
    listModels: async () => ({
      object: "list",
      data: catalogue.list().filter(isCallable).map(toListedModel),
    }),
    retrieveModel: async ({ params }) => toListedModel(findCallableModel(catalogue, params.model_id)),
    listOrganizationModels: async ({ query }) => paginate(catalogue.list().map(toOrganizationModel), query),
    createOrganizationModel: async ({ body }) => toOrganizationModel(await createModel(context, body)),
    changeOrganizationModel: async ({ params, body }) =>
      toOrganizationModel(await changeModel(context, params.model_id, body)),
  };
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
    price: price && {
      input_per_1m: formatAmount(price.inputPer1m),
      output_per_1m: formatAmount(price.outputPer1m),
    },
    max_output_tokens: model.maxOutputTokens,
    routes: [...model.routes],
    source,
    sandbox,
    default_rate_limits: model.defaultRateLimits,
  };
}
